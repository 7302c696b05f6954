"use strict";
(() => {
  // What is selected stands in the address alone: every change goes there, and the page follows.
  const PAGE = 50;
  const byId = (id) => document.getElementById(id);
  // What did not pass comes first; within that the order of the rows stays.
  const rank = { failed: 0, errored: 0, skipped: 1, passed: 2 };
  const results = JSON.parse(byId("data").textContent).sort((a, b) => rank[a.outcome] - rank[b.outcome]);
  const form = byId("filters");
  const names = ["q", "outcome", "metric", "code", "field", "tag", "row", "page"];
  const number = new Intl.NumberFormat("en");
  const open = new Set();

  // Texts of the model only ever become text nodes and attributes that cannot run.
  const make = (tag, attributes, ...children) => {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) {
      if (typeof value === "function") element.addEventListener(name, value);
      else if (value !== undefined && value !== null && value !== false) element.setAttribute(name, value === true ? "" : value);
    }
    element.append(...children.flat(Infinity).filter((child) => child !== undefined && child !== null && child !== false && child !== ""));
    return element;
  };
  const finding = (fault) => fault.code || fault.kind;
  const fieldOf = (fault) => fault.field ?? fault.pointer;
  const faultsOf = (result) => result.faults || [];
  const score = (value) => value === null ? "\u2013" : String(Math.floor(value * 1000) / 1000);
  const plural = (count, what) => `${number.format(count)} ${what}${count === 1 ? "" : "s"}`;

  const selected = () => {
    const parameters = new URLSearchParams(location.hash.slice(1));
    return Object.fromEntries(names.map((name) => [name, parameters.get(name) || ""]));
  };
  const address = (state) => {
    const parameters = new URLSearchParams();
    for (const name of names) if (state[name]) parameters.set(name, state[name]);
    return "#" + (parameters.toString() || "cases");
  };
  const go = (change) => {
    const state = { ...selected(), page: "", ...change };
    try {
      history.replaceState(null, "", address(state));
    } catch {
      // A page within a sandbox may not; the event of the new address shows it then.
      location.hash = address(state);
      return;
    }
    show();
  };

  // The text that is searched is made when the first search is.
  const haystack = (result) => result.text ??= [
    result.id, result.label, result.reason, result.note, result.place, result.href, ...(result.tags || []),
    ...(result.metadata || []).flat(), result.output && result.output.text,
    ...faultsOf(result).flatMap((fault) => [fault.code, fault.kind, fault.pointer, fault.message, fault.help, fault.expected, fault.found]),
  ].filter(Boolean).join("\n").toLowerCase();

  const matching = (state) => {
    const words = state.q.toLowerCase().split(/\s+/).filter(Boolean);
    return results.filter((result) =>
      (!state.outcome || result.outcome === state.outcome) &&
      (!state.metric || result.metric === state.metric) &&
      (!state.row || String(result.row) === state.row) &&
      (!state.tag || (result.tags || []).includes(state.tag)) &&
      (!(state.code || state.field) || faultsOf(result).some((fault) =>
        (!state.code || finding(fault) === state.code) && (!state.field || fieldOf(fault) === state.field))) &&
      words.every((word) => haystack(result).includes(word)));
  };

  // A choice for each value there is, the most frequent first.
  const choices = (values) => {
    const counts = new Map();
    for (const list of values) for (const value of new Set(list)) counts.set(value, (counts.get(value) || 0) + 1);
    return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, 500).map(([value]) => value);
  };
  const kinds = new Map();
  for (const result of results) for (const fault of faultsOf(result)) {
    kinds.set(finding(fault), fault.code ? `${fault.code} ${fault.kind.replaceAll("_", " ")}` : fault.kind);
  }
  const fill = (name, values, title) => {
    const select = form.elements[name];
    select.replaceChildren(make("option", { value: "" }, "All"), ...values.map((value) => make("option", { value }, title ? title(value) : value)));
    if (values.length === 0) select.parentElement.hidden = true;
  };
  fill("outcome", ["passed", "failed", "errored", "skipped"]);
  fill("metric", [...new Set(results.map((result) => result.metric))]);
  fill("code", choices(results.map((result) => faultsOf(result).map(finding))), (code) => kinds.get(code));
  fill("field", choices(results.map((result) => faultsOf(result).map(fieldOf))));
  fill("tag", choices(results.map((result) => result.tags || [])));

  const link = (result) => {
    if (!result.href) return null;
    // Checked when the page was written, and once more here.
    let safe = false;
    try { safe = result.link && ["http:", "https:"].includes(new URL(result.href, "https://page.invalid/").protocol); } catch { /* no address */ }
    return safe ? make("a", { href: result.href, rel: "noopener noreferrer", target: "_blank" }, result.href) : make("span", {}, result.href);
  };

  // The output in parts, each of which is within the same faults.
  const output = (result) => {
    const { text, start, bytes } = result.output;
    const marks = faultsOf(result).map((fault, index) => ({ fault, index })).filter(({ fault }) => fault.mark);
    const edges = new Set([0, text.length]);
    for (const { fault } of marks) fault.mark.forEach((edge) => edges.add(edge));
    const sorted = [...edges].sort((a, b) => a - b);
    const box = make("pre", { class: "output", tabindex: "0", role: "region", "aria-label": "Output" });
    if (start > 0) box.append(make("span", { class: "quiet" }, `${number.format(start)} bytes before \u2026 `));
    const mark = (covering, from, to) => {
      const differs = covering.every(({ fault }) => !fault.code);
      return make("mark", {
        class: (differs ? "differs" : "") + (from === to ? " point" : ""),
        "data-faults": covering.map(({ index }) => index).join(" "), tabindex: "-1",
        title: covering.map(({ fault }) => fault.message || fault.kind).join("\n"),
      }, text.slice(from, to));
    };
    sorted.forEach((from, index) => {
      const points = marks.filter(({ fault }) => fault.mark[0] === from && fault.mark[1] === from);
      if (points.length) box.append(mark(points, from, from));
      const to = sorted[index + 1];
      if (to === undefined) return;
      const covering = marks.filter(({ fault }) => fault.mark[0] <= from && to <= fault.mark[1]);
      box.append(covering.length ? mark(covering, from, to) : text.slice(from, to));
    });
    // Where bytes were replaced the text is longer than they were, so this is a guess that errs to silence.
    const behind = bytes - start - new TextEncoder().encode(text).length;
    if (behind > 0) box.append(make("span", { class: "quiet" }, ` \u2026 about ${number.format(behind)} bytes after`));
    if (text === "") box.append(make("span", { class: "quiet" }, "the output is empty"));
    return box;
  };

  const faultItem = (fault, index, box) => {
    const lit = (on) => box && box.querySelectorAll(`mark[data-faults~="${index}"]`).forEach((mark) => mark.classList.toggle("lit", on));
    const place = `${fault.line}:${fault.column}`;
    const jump = () => {
      box.querySelectorAll("mark.lit").forEach((mark) => mark.classList.remove("lit"));
      lit(true);
      const mark = box.querySelector(`mark[data-faults~="${index}"]`);
      if (mark) { mark.scrollIntoView({ block: "nearest" }); mark.focus({ preventScroll: true }); }
    };
    const where = make("div", { class: "where" },
      box && fault.mark ? make("button", { type: "button", click: jump, "aria-label": `Show in the output: line ${fault.line}, column ${fault.column}` }, place) : place,
      fault.code ? [" ", make("code", {}, fault.pointer || "(whole output)")] : null,
      fault.similarity !== undefined && fault.similarity > 0 ? ` \u00b7 similarity ${score(fault.similarity)}` : "");
    const body = fault.code
      ? [make("div", {}, make("code", {}, fault.code), " ", fault.message), fault.help && make("div", { class: "help" }, "help: " + fault.help)]
      : [make("div", {}, make("code", {}, fault.pointer || "(whole output)"), " ", fault.kind), make("dl", { class: "pair" },
        fault.expected !== undefined && [make("dt", {}, "expected"), make("dd", {}, fault.expected)],
        fault.found !== undefined && [make("dt", {}, "found"), make("dd", {}, fault.found)])];
    return make("li", { class: fault.code ? "" : "differs", mouseenter: () => lit(true), mouseleave: () => lit(false) }, body, where);
  };

  const faultLists = (result, box) => {
    const indexed = faultsOf(result).map((fault, index) => [fault, index]);
    return [["Violations", (fault) => fault.code], ["Differences from the reference", (fault) => !fault.code]].flatMap(([title, chosen]) => {
      const list = indexed.filter(([fault]) => chosen(fault));
      return list.length ? [make("h4", {}, title), make("ul", { class: "faults" }, list.map(([fault, index]) => faultItem(fault, index, box)))] : [];
    }).concat(result.more ? [make("p", { class: "quiet" }, `and ${number.format(result.more)} more`)] : []);
  };

  const pairs = (list) => make("dl", { class: "pair metadata" }, list.map(([name, value]) => [make("dt", {}, name), make("dd", {}, value)]));

  const detail = (result) => {
    const box = result.output && output(result);
    const right = [
      result.reason && [make("h4", {}, "Reason"), make("div", { class: "reason" }, result.reason), result.note && make("div", { class: "reason-note quiet" }, result.note)],
      faultLists(result, box),
    ].flat(Infinity).filter(Boolean);
    const others = results.filter((other) => other.row === result.row && other !== result);
    const facts = [
      ["id", result.id], ["row", number.format(result.row)], result.place && ["from", result.place],
      ["score", `${score(result.score)}, threshold ${result.threshold}`], result.href && ["link", link(result)],
    ].filter(Boolean);
    return make("div", { class: "detail" },
      !box && result.outcome === "passed" ? make("p", { class: "quiet full" }, "The output of a case that passed is not kept.") : null,
      box && make("div", {}, make("h4", {}, "Output"), box),
      right.length ? make("div", { class: "beside" }, right) : null,
      make("div", { class: "facts" }, make("h4", {}, "Case"), pairs(facts),
        result.metadata && [make("h4", {}, "Metadata"), pairs(result.metadata)]),
      make("div", { class: "others full" }, make("a", { href: address({ row: String(result.row) }) }, "Link to this row"),
        others.map((other) => make("a", { href: address({ row: String(other.row), metric: other.metric }) }, `${other.metric}: ${other.outcome}`))));
  };

  const caseRows = (result) => {
    const key = `${result.row} ${result.metric}`;
    const faults = faultsOf(result);
    const first = faults[0];
    const what = first && first.code ? first.message
      : result.reason || (first ? `${first.pointer || "whole output"}: ${first.kind}` : "");
    // A reason that stands for all of them leaves no more to tell.
    const more = first && first.code ? faults.length - 1 + (result.more || 0) : 0;
    const row = make("tr", { class: "case" });
    const button = make("button", { type: "button", class: "name", "aria-expanded": "false", click: () => set(!open.has(key)) }, result.label || result.id || `row ${result.row}`);
    let opened = null;
    const set = (on) => {
      button.setAttribute("aria-expanded", String(on));
      if (on) {
        open.add(key);
        opened ??= make("tr", { class: "detail-row" }, make("td", { class: "open", colspan: "5" }, detail(result)));
        row.after(opened);
        // The first fault is in sight, also where the output is long.
        const box = opened.querySelector(".output");
        const mark = box && box.querySelector("mark");
        if (mark) box.scrollTop = Math.max(0, mark.offsetTop - box.clientHeight / 3);
      } else {
        open.delete(key);
        if (opened) opened.remove();
      }
    };
    row.append(
      make("td", { class: "outcome" }, make("span", { class: `pill ${result.outcome}` }, result.outcome)),
      make("td", { class: "title" }, button, make("div", { class: "under quiet" },
        result.label ? make("span", { class: "id" }, result.id) : null, (result.tags || []).slice(0, 6).map((tag) =>
          make("a", { class: "tag", href: address({ tag }) }, tag.slice(0, 60))))),
      make("td", { class: "metric" }, result.metric),
      make("td", { class: "number" }, score(result.score)),
      make("td", { class: "what" }, what && make("div", { class: "clip" }, what.slice(0, 400)),
        result.note && what === result.reason ? make("div", { class: "reason-note quiet" }, result.note.slice(0, 200)) : null, more > 0 ? make("span", { class: "quiet" }, `and ${number.format(more)} more`) : null));
    return { row, set, key };
  };

  const pages = (page, last) => {
    const to = (target, title) => make("button", {
      type: "button", disabled: target < 1 || target > last,
      click: () => { go({ page: String(target) }); byId("cases").scrollIntoView(); byId("cases").focus({ preventScroll: true }); },
    }, title);
    byId("pages").replaceChildren(...(last > 1 ? [to(page - 1, "Previous"), `page ${number.format(page)} of ${number.format(last)}`, to(page + 1, "Next")] : []));
  };

  const show = () => {
    const state = selected();
    for (const name of ["q", "outcome", "metric", "code", "field", "tag"]) {
      const control = form.elements[name];
      if (control.tagName === "SELECT" && state[name] && ![...control.options].some((option) => option.value === state[name])) {
        control.append(make("option", { value: state[name] }, state[name]));
        control.parentElement.hidden = false;
      }
      if (control.value !== state[name]) control.value = state[name];
      control.classList.toggle("on", state[name] !== "");
    }
    const found = matching(state);
    const last = Math.max(1, Math.ceil(found.length / PAGE));
    const page = Math.min(last, Math.max(1, Number.parseInt(state.page, 10) || 1));
    const shown = found.slice((page - 1) * PAGE, page * PAGE).map(caseRows);
    byId("rows").replaceChildren(...shown.map(({ row }) => row));
    shown.forEach(({ set, key }, index) => { if (open.has(key) || (state.row && index === 0)) set(true); });
    byId("count").textContent = found.length === results.length ? plural(results.length, "result")
      : `${number.format(found.length)} of ${plural(results.length, "result")}`;
    byId("chips").replaceChildren(...[
      state.row && `row ${state.row}`, names.some((name) => name !== "page" && state[name]) && make("a", { href: "#cases" }, "Show all"),
    ].filter(Boolean).flatMap((item, index) => index ? [" \u00b7 ", item] : [item]));
    pages(page, last);
  };

  let waiting = 0;
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", (event) => {
    clearTimeout(waiting);
    const { name, value } = event.target;
    // Typing waits for a pause, a choice does not.
    waiting = setTimeout(() => go({ [name]: value, row: "" }), name === "q" ? 150 : 0);
  });
  window.addEventListener("hashchange", show);
  document.addEventListener("click", (event) => {
    if (event.target.closest("a.filter, a.tag, .others a")) {
      byId("cases").scrollIntoView();
      byId("cases").focus({ preventScroll: true });
    }
  });
  byId("browser").hidden = false;
  show();
})();

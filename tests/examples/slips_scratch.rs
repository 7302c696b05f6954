//! x
use json_correctness::*;
fn main() {
    let limits = Limits::default();
    let mut args = std::env::args().skip(1);
    let mode = args.next().unwrap();
    for file in args {
        let text = std::fs::read_to_string(&file).unwrap();
        let (mut n, mut whole, mut fenced, mut embedded) = (0, 0, 0, 0);
        let mut counts = std::collections::BTreeMap::new();
        for line in text.lines() {
            let row: serde_json::Value = serde_json::from_str(line).unwrap();
            let out = row["actual_output"].as_str().unwrap();
            n += 1;
            let parse = |e: Extraction| {
                e.extract(out, &limits).and_then(|x| Document::parse_part(out, x.span, &limits).map(|_| x))
            };
            let r = parse(Extraction::Whole);
            whole += r.is_ok() as usize;
            fenced += parse(Extraction::Fenced).is_ok() as usize;
            embedded += parse(Extraction::Embedded).is_ok() as usize;
            let e = if mode == "w" {
                r.err()
            } else if mode == "f" {
                parse(Extraction::Fenced).err()
            } else {
                parse(Extraction::Embedded).err()
            };
            if let Some(e) = e {
                *counts.entry(format!("{:?}", e.slip)).or_insert(0) += 1;
                let p = Position::of(out, e.span.start);
                let s = e.span;
                let mut a = s.start.saturating_sub(40);
                while !out.is_char_boundary(a) {
                    a -= 1
                }
                let mut b = (s.end + 40).min(out.len());
                while !out.is_char_boundary(b) {
                    b += 1
                }
                let clip = |t: &str, l: usize| {
                    let c: Vec<char> = t.chars().collect();
                    if c.len() > l {
                        format!(
                            "{} … {}",
                            c[..l / 2].iter().collect::<String>(),
                            c[c.len() - l / 2..].iter().collect::<String>()
                        )
                    } else {
                        t.to_string()
                    }
                };
                println!(
                    "{} {:?} {}:{} | {} | help: {}\n     {:?}⟦{:?}⟧{:?}",
                    row["id"].as_str().unwrap_or("?"),
                    e.slip,
                    p.line,
                    p.column,
                    e.detail,
                    e.help.unwrap_or_default(),
                    &out[a..s.start],
                    clip(&out[s.start..s.end], 60),
                    &out[s.end..b]
                );
            }
        }
        eprintln!("{file}: {n} whole {whole} fenced {fenced} embedded {embedded} {counts:?}");
    }
}

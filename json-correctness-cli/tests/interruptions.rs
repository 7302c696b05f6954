//! Whatever ends a run, the results that were written are whole, and `--resume` goes on to the very
//! bytes of a run that was not interrupted.
#![cfg(unix)]

mod common;

use std::{
    fmt::Write as _,
    fs,
    path::Path,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use common::{Said, command};
use tempfile::TempDir;

/// A directory with a dataset of that many rows, some of them wrong, some that are no rows.
fn dataset(rows: usize) -> TempDir {
    let directory = TempDir::new().expect("a directory");
    let mut text = String::new();
    for row in 0..rows {
        let _ = match row % 7 {
            3 => writeln!(
                text,
                "{{\"id\": \"r{row}\", \"actual_output\": \"{{'a': {row}}}\", \"expected_output\": 1}}"
            ),
            5 if row % 5 == 0 => writeln!(text, "{{\"id\": \"r{row}\", torn"),
            _ => writeln!(
                text,
                "{{\"id\": \"r{row}\", \"actual_output\": \"{{\\\"a\\\": {row}, \\\"b\\\": [1, 2.5]}}\", \
                 \"expected_output\": {{\"a\": {row}, \"b\": [1, {}.5]}}, \"json_schema\": {{\"required\": [\"a\"]}}}}",
                row % 4
            ),
        };
    }
    fs::write(directory.path().join("data.jsonl"), text).expect("written");
    directory
}

const ARGUMENTS: &str = "eval data.jsonl --metric json_validity,json_schema_match,json_equality,json_edit_distance,json_diff --out results.jsonl";

fn start(directory: &Path, more: &str) -> Child {
    command()
        .current_dir(directory)
        .args(ARGUMENTS.split_whitespace())
        .args(more.split_whitespace())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("runs")
}

fn finish(directory: &Path, more: &str) -> Said {
    start(directory, more).wait_with_output().expect("ends").into()
}

fn results(directory: &Path) -> Vec<u8> {
    fs::read(directory.join("results.jsonl")).expect("results")
}

/// The results of a run that nothing interrupts.
fn whole(directory: &Path) -> Vec<u8> {
    assert_eq!(finish(directory, "").code, Some(1));
    let whole = results(directory);
    fs::remove_file(directory.join("results.jsonl")).expect("removed");
    whole
}

#[test]
fn a_hundred_kills_and_the_same_bytes() {
    let directory = dataset(1_500);
    let directory = directory.path();
    let begun = Instant::now();
    let expected = whole(directory);
    let length = begun.elapsed();
    assert_eq!(expected.iter().filter(|byte| **byte == b'\n').count(), 7_500);
    let mut random = 0x2545_F491_4F6C_DD1D_u64;
    let (mut torn, mut kills) = (0, 0);
    while kills < 100 {
        // One to three kills on the way to one end.
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        for _ in 0..=(random >> 60) % 3 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let mut child = start(directory, "--resume --jobs 2");
            thread::sleep(length.mul_f64((random >> 40) as f64 / (1 << 24) as f64));
            child.kill().expect("killed");
            child.wait().expect("gone");
            kills += 1;
            let part = fs::read(directory.join("results.jsonl.part")).unwrap_or_default();
            torn += usize::from(part.last().is_some_and(|byte| *byte != b'\n'));
            assert!(expected.starts_with(&part), "what is written is never anything else");
        }
        let said = finish(directory, "--resume");
        assert_eq!(said.code, Some(1), "{said:#?}");
        assert!(results(directory) == expected, "after {kills} kills");
        assert!(!directory.join("results.jsonl.part").exists());
        fs::remove_file(directory.join("results.jsonl")).expect("removed");
    }
    println!("{kills} kills, {torn} torn lines");
}

#[test]
fn any_number_of_jobs_writes_the_same_bytes() {
    let directory = dataset(1_000);
    let expected = whole(directory.path());
    for jobs in [1, 2, 5] {
        assert_eq!(finish(directory.path(), &format!("--jobs {jobs}")).code, Some(1));
        assert!(results(directory.path()) == expected, "{jobs} jobs");
    }
}

#[test]
fn wherever_the_last_line_is_torn() {
    let directory = dataset(60);
    let path = directory.path();
    let expected = whole(path);
    // The journal of a run of the same checks, which a full disk stopped.
    limited(path, 4, "");
    for cut in (0..expected.len()).step_by(197).chain([expected.len()]) {
        fs::write(path.join("results.jsonl.part"), &expected[..cut]).expect("written");
        let run = fs::read(path.join("results.jsonl.part.run")).expect("the identity of the run");
        let said = finish(path, "--resume");
        assert_eq!(said.code, Some(1), "{said:#?}");
        assert!(results(path) == expected, "cut at {cut}");
        fs::write(path.join("results.jsonl.part.run"), run).expect("written");
    }
}

#[test]
fn another_run_is_not_taken_up() {
    let directory = dataset(60);
    let path = directory.path();
    limited(path, 4, "");
    let said = finish(path, "--resume --threshold 0.7");
    assert_eq!(said.code, Some(2), "{said:#?}");
    assert!(said.stderr.contains("is of another run"), "{said:#?}");
}

fn interrupt(child: &Child) {
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill");
    assert!(sent.success());
}

/// Waits until something is in the journal.
fn wait_for_results(directory: &Path) {
    while fs::metadata(directory.join("results.jsonl.part")).map_or(0, |file| file.len()) == 0 {
        thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn ctrl_c_ends_the_run_in_order() {
    let directory = dataset(20_000);
    let path = directory.path();
    let child = start(path, "");
    wait_for_results(path);
    let sent = Instant::now();
    interrupt(&child);
    let said: Said = child.wait_with_output().expect("ends").into();
    println!("ended {:?} after Ctrl-C", sent.elapsed());
    assert_eq!(said.code, Some(130), "{said:#?}");
    assert!(said.stderr.starts_with("error: the run was interrupted\n"), "{said:#?}");
    assert!(said.stderr.contains("`--resume` goes on there"), "{said:#?}");
    assert!(!path.join("results.jsonl").exists());
    assert_eq!(finish(path, "--resume").code, Some(1));
    let resumed = results(path);
    fs::remove_file(path.join("results.jsonl")).expect("removed");
    assert!(resumed == whole(path));
}

#[test]
fn ctrl_c_ends_a_judgement_that_takes_long() {
    let directory = TempDir::new().expect("a directory");
    let path = directory.path();
    // Two texts whose distance takes minutes.
    let text = |seed: u64| -> String {
        let mut state = seed;
        let mut letter = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            char::from(b'a' + (state >> 60) as u8)
        };
        (0..400_000).map(|_| letter()).collect()
    };
    let row = format!(
        "{{\"actual_output\": \"\\\"{}\\\"\", \"expected_output\": \"\\\"{}\\\"\"}}\n",
        text(1),
        text(2)
    );
    fs::write(path.join("data.jsonl"), row).expect("written");
    let child = command()
        .current_dir(path)
        .args(
            "eval data.jsonl --metric json_edit_distance --limit max_distance_cost=1000000000000000 --out results.jsonl"
                .split(' '),
        )
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("runs");
    // The journal is opened once Ctrl-C is listened for.
    while !path.join("results.jsonl.part").exists() {
        thread::sleep(Duration::from_millis(2));
    }
    thread::sleep(Duration::from_millis(100));
    let sent = Instant::now();
    interrupt(&child);
    let said: Said = child.wait_with_output().expect("ends").into();
    println!("ended {:?} after Ctrl-C", sent.elapsed());
    assert_eq!(said.code, Some(130), "{said:#?}");
    assert!(said.stderr.starts_with("error: the run was interrupted\n"), "{said:#?}");
}

#[test]
fn a_closed_pipe_is_an_exit_code() {
    let directory = dataset(50);
    let path = directory.path();
    let expected = whole(path);
    for line in [ARGUMENTS, "explain", "man", "completions zsh", "--help", "check data.jsonl"] {
        // Closed before the command begins: a short text would else be gone before.
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let mut command = command();
        command.current_dir(path).args(line.split_whitespace()).stdin(Stdio::null()).stdout(writer);
        let said: Said = command.stderr(Stdio::piped()).output().expect("runs").into();
        assert_eq!(said.code, Some(74), "{line}\n{said:#?}");
        assert!(said.stderr.contains("error: cannot write to standard output: "), "{line}\n{said:#?}");
    }
    assert!(results(path) == expected, "the results do not need the pipe");
}

#[test]
fn a_full_disk_below_standard_output_is_an_exit_code() {
    if !Path::new("/dev/full").exists() {
        println!("skipped: /dev/full is absent");
        return;
    }
    for line in ["explain", "eval tickets.jsonl", "schema lint loose_schema.json", "check ticket.json"] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("opens");
        let output = command().args(line.split_whitespace()).stdout(full).output().expect("runs");
        let said: Said = output.into();
        assert_eq!(said.code, Some(74), "{line}\n{said:#?}");
    }
}

/// Runs with no file allowed to grow beyond so many blocks of 512 bytes.
fn limited(directory: &Path, blocks: usize, more: &str) -> Said {
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" {ARGUMENTS} {more}");
    Command::new("sh")
        .current_dir(directory)
        .args(["-c", &script, env!("CARGO_BIN_EXE_json-correctness")])
        .output()
        .expect("runs")
        .into()
}

#[test]
fn a_full_disk_leaves_old_reports_and_good_results() {
    let directory = dataset(60);
    let path = directory.path();
    let expected = whole(path);
    fs::write(path.join("report.json"), "the old report").expect("written");
    fs::write(path.join("results.jsonl"), "the old results").expect("written");
    for blocks in [4, 9] {
        let said = limited(path, blocks, "--report json=report.json --resume");
        assert_eq!(said.code, Some(74), "{said:#?}");
        assert!(said.stderr.contains("results.jsonl.part cannot be written: "), "{said:#?}");
        assert_eq!(results(path), b"the old results");
    }
    assert_eq!(finish(path, "--resume --report json=report.json").code, Some(1));
    assert!(results(path) == expected);
    // Now only the report does not fit: it holds the results and more.
    let report = fs::read(path.join("report.json")).expect("a report");
    fs::write(path.join("report.json"), "the old report").expect("written");
    let said = limited(path, expected.len() / 512 + 1, "--report json=report.json");
    assert!(report.len() > expected.len() + 1024, "{} {}", report.len(), expected.len());
    assert_eq!(said.code, Some(74), "{said:#?}");
    assert!(said.stderr.contains("cannot write report.json"), "{said:#?}");
    assert_eq!(fs::read(path.join("report.json")).expect("a report"), b"the old report");
    assert!(!path.join("report.json.tmp").exists());
}

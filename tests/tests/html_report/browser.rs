//! Chromium without a window.

use std::{
    path::Path,
    process::{Command, Stdio},
    sync::Mutex,
};

/// What a browser makes of the page; `None`, and it is said, where there is no browser.
pub(crate) fn in_browser(page: &Path, fragment: &str) -> Option<String> {
    // One at a time: each takes several processes.
    static ONE: Mutex<()> = Mutex::new(());
    let _one = ONE.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let chromium = std::env::var_os("CHROMIUM").unwrap_or_else(|| "chromium".into());
    let profile = tempfile::tempdir().expect("a folder");
    let output = Command::new(chromium)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"])
        .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
        // The page that drives another one may look into it.
        .args([
            "--allow-file-access-from-files",
            "--disable-dev-shm-usage",
            "--virtual-time-budget=20000",
            "--dump-dom",
        ])
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .arg(format!("file://{}{fragment}", page.display()))
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output();
    match output {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            println!("skipped: no Chromium (on the PATH, or named by CHROMIUM)");
            None
        }
        Err(error) => panic!("Chromium does not start: {error}"),
        Ok(output) => {
            let dom = String::from_utf8(output.stdout).expect("UTF-8");
            assert!(dom.contains("</html>"), "Chromium ended with {} and wrote no page", output.status);
            Some(dom)
        }
    }
}

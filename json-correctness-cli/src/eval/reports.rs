//! Reports: the library makes them, here they are written.

use std::{
    ffi::OsString,
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
};

use json_correctness::Evaluation;

use crate::{failure::Failure, measure::pair, nearest::did_you_mean, screen::Screen};

type Make = fn(&Evaluation) -> String;

/// The forms of reports, by name.
const FORMS: [(&str, Make); 4] = [
    ("junit", Evaluation::to_junit),
    ("html", Evaluation::to_html),
    ("markdown", Evaluation::to_markdown),
    ("json", Evaluation::to_json),
];

/// A report that was asked for.
pub(super) struct Report {
    make: Make,
    path: PathBuf,
}

impl Report {
    /// The reports that `FORM=FILE` ask for.
    pub(super) fn all(given: &[String]) -> Result<Vec<Self>, Failure> {
        let mut reports: Vec<Self> = Vec::new();
        for given in given {
            let (form, path) = pair("--report", given, "html=report.html")?;
            let Some((_, make)) = FORMS.iter().find(|(known, _)| *known == form) else {
                return Err(Failure::set_up(format!("there is no form of report `{form}`"))
                    .help(did_you_mean(form, FORMS.iter().map(|(known, _)| *known))));
            };
            let path = PathBuf::from(path);
            // Hours of judging are not lost for a directory that is not there.
            let directory =
                path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
            fs::metadata(directory).map_err(|error| Failure::file("write", &path, &error))?;
            reports.push(Self { make: *make, path });
        }
        Ok(reports)
    }

    /// Where it goes.
    pub(super) fn path(&self) -> &PathBuf {
        &self.path
    }

    /// Writes the report beside its place and moves it there, so that an older one stays whole until the
    /// new one is.
    pub(super) fn write(&self, evaluation: &Evaluation) -> Result<(), Failure> {
        let text = (self.make)(evaluation);
        let mut beside = OsString::from(&self.path);
        beside.push(".tmp");
        let beside = PathBuf::from(beside);
        let write = || -> io::Result<()> {
            let mut file = File::create(&beside)?;
            file.write_all(text.as_bytes())?;
            file.sync_all()?;
            fs::rename(&beside, &self.path)
        };
        write().map_err(|error| {
            let _ = fs::remove_file(&beside);
            Failure::file("write", &self.path, &error)
        })
    }
}

/// The table of a run, for a person.
pub(super) fn table(screen: &mut Screen, evaluation: &Evaluation) -> Result<(), Failure> {
    screen.raw(evaluation.to_table(screen.color(), screen.width()).as_bytes())
}

/// What a CI shows beside the code.
pub(super) fn annotations(screen: &mut Screen, evaluation: &Evaluation) -> Result<(), Failure> {
    screen.raw(evaluation.to_github_annotations().as_bytes())
}

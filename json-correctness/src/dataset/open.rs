//! From a file to readable bytes: compression, encoding, format.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, Read, Seek},
    path::Path,
    sync::Arc,
};

use flate2::bufread::MultiGzDecoder;
use ruzstd::decoding::StreamingDecoder;

use super::{Format, Origin, csv::CsvRows, json::JsonRows};
use crate::{error::Error, text::Limits};

const BUFFER_BYTES: usize = 64 << 10;

/// A dataset that can be read from its beginning, more than once.
pub(crate) struct Opened {
    name: Arc<str>,
    file: File,
    format: Option<Format>,
    /// Those of the rows; what the outputs in them may be, the checks say.
    limits: Limits,
}

/// Rows as they are written.
pub(crate) enum Written {
    Json(JsonRows),
    Csv(CsvRows),
}

impl Opened {
    pub(crate) fn new(
        name: String,
        origin: Origin,
        format: Option<Format>,
        limits: &Limits,
    ) -> Result<Self, Error> {
        let failed = |error: io::Error| unreadable(&name, &error);
        let file = match origin {
            Origin::Path(path) => {
                let file = File::open(path).map_err(failed)?;
                if file.metadata().map_err(failed)?.is_file() { file } else { kept(file).map_err(failed)? }
            }
            Origin::Reader(reader) => kept(reader).map_err(failed)?,
        };
        let format = format.or_else(|| by_name(&name));
        let limits = limits.clone().max_text_bytes(limits.max_row_bytes).max_depth(Limits::MAX_DEPTH);
        Ok(Self { name: name.into(), file, format, limits })
    }

    pub(crate) fn name(&self) -> &Arc<str> {
        &self.name
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The rows from the first one on.
    pub(crate) fn rows(&self) -> Result<Written, Error> {
        let failed = |error: io::Error| unreadable(&self.name, &error);
        let mut file = self.file.try_clone().map_err(failed)?;
        file.rewind().map_err(failed)?;
        let mut bytes = decompressed(BufReader::with_capacity(BUFFER_BYTES, file)).map_err(failed)?;
        let start = bytes.fill_buf().map_err(failed)?;
        if start.starts_with(&[0xFF, 0xFE])
            || start.starts_with(&[0xFE, 0xFF])
            || start.iter().take(2).any(|&byte| byte == 0)
        {
            return Err(Error::data(format!(
                "{} is not UTF-8 but looks like UTF-16: convert it, for instance by `iconv -f UTF-16 -t UTF-8`",
                self.name
            )));
        }
        let mark = if start.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
        let format = self.format.unwrap_or_else(|| by_start(&start[mark..]));
        bytes.consume(mark);
        Ok(match format {
            Format::Jsonl => Written::Json(JsonRows::lines(bytes, mark as u64, self.limits.max_row_bytes)),
            Format::Json => Written::Json(JsonRows::values(bytes, mark as u64, self.limits.max_row_bytes)),
            Format::Csv => Written::Csv(CsvRows::new(bytes, b',', &self.name)?),
            Format::Tsv => Written::Csv(CsvRows::new(bytes, b'\t', &self.name)?),
        })
    }
}

/// The error of a file that cannot be read.
pub(crate) fn unreadable(name: &str, error: &io::Error) -> Error {
    Error::io(format!("{name} cannot be read: {error}"))
}

/// What can be read once, in a temporary file, which goes when it is closed.
fn kept(mut reader: impl Read) -> io::Result<File> {
    let mut file = tempfile::tempfile()?;
    io::copy(&mut reader, &mut file)?;
    Ok(file)
}

fn by_name(name: &str) -> Option<Format> {
    let name = name.to_lowercase();
    let name = [".gz", ".zst"].iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(&name);
    Some(match Path::new(name).extension()?.to_str()? {
        "jsonl" | "ndjson" => Format::Jsonl,
        "json" => Format::Json,
        "csv" => Format::Csv,
        "tsv" | "tab" => Format::Tsv,
        _ => return None,
    })
}

fn by_start(start: &[u8]) -> Format {
    let first_line = start.split(|&byte| byte == b'\n').next().unwrap_or_default();
    match start.iter().find(|byte| !byte.is_ascii_whitespace()) {
        Some(b'[') => Format::Json,
        Some(b'{') | None => Format::Jsonl,
        Some(_) if first_line.contains(&b'\t') => Format::Tsv,
        Some(_) => Format::Csv,
    }
}

/// The bytes themselves, whichever way they are packed: the first bytes tell.
fn decompressed(mut bytes: BufReader<File>) -> io::Result<Box<dyn BufRead + Send>> {
    let start = bytes.fill_buf()?;
    if start.starts_with(&[0x1F, 0x8B]) {
        return Ok(Box::new(BufReader::with_capacity(BUFFER_BYTES, MultiGzDecoder::new(bytes))));
    }
    if start.starts_with(&ZSTD_MAGIC) {
        return Ok(Box::new(BufReader::with_capacity(BUFFER_BYTES, Frames::Between(bytes))));
    }
    Ok(Box::new(bytes))
}

const ZSTD_MAGIC: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];

/// The frames of a Zstandard file, one behind the other, as `zstd` concatenates them.
enum Frames {
    Between(BufReader<File>),
    Within(Box<StreamingDecoder<BufReader<File>, ruzstd::decoding::FrameDecoder>>),
    Ended,
}

impl Read for Frames {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match std::mem::replace(self, Self::Ended) {
                Self::Ended => return Ok(0),
                Self::Between(mut bytes) => {
                    if bytes.fill_buf()?.is_empty() {
                        return Ok(0);
                    }
                    *self = Self::Within(Box::new(StreamingDecoder::new(bytes).map_err(io::Error::other)?));
                }
                Self::Within(mut frame) => {
                    let read = frame.read(buffer)?;
                    if read > 0 || buffer.is_empty() {
                        *self = Self::Within(frame);
                        return Ok(read);
                    }
                    *self = Self::Between(frame.into_inner());
                }
            }
        }
    }
}

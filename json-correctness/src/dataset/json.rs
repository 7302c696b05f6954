//! Rows of JSON files: the lines of one, or the elements of an array.

use std::io::{self, BufRead};

/// The rows of a JSON file, as bytes.
pub(crate) struct JsonRows {
    bytes: Box<dyn BufRead + Send>,
    /// Offset of the next byte in the (unpacked) file.
    offset: u64,
    /// Line of the next byte, from 1.
    line: u64,
    max_row_bytes: usize,
    split: Split,
}

/// How the file is cut into rows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Split {
    Lines,
    /// Nothing was read yet.
    Start,
    /// Values behind one another.
    Stream,
    /// Elements of an array; whether one was there already.
    Elements {
        any: bool,
    },
    Ended,
}

/// Where a row begins, and what is wrong with it beside its own text.
pub(crate) struct Place {
    pub(crate) line: u64,
    pub(crate) offset: u64,
    pub(crate) fault: Option<String>,
}

impl JsonRows {
    /// Each line that is not blank is a row.
    pub(crate) fn lines(bytes: Box<dyn BufRead + Send>, offset: u64, max_row_bytes: usize) -> Self {
        Self { bytes, offset, line: 1, max_row_bytes, split: Split::Lines }
    }

    /// Each element of the array is a row, or each value where there is no array.
    pub(crate) fn values(bytes: Box<dyn BufRead + Send>, offset: u64, max_row_bytes: usize) -> Self {
        Self { bytes, offset, line: 1, max_row_bytes, split: Split::Start }
    }

    /// Reads the next row into the buffer. A row that is cut to pieces is followed by the next one all
    /// the same.
    pub(crate) fn next(&mut self, row: &mut Vec<u8>) -> io::Result<Option<Place>> {
        row.clear();
        if self.split == Split::Lines { self.next_line(row) } else { self.next_value(row) }
    }

    fn next_line(&mut self, row: &mut Vec<u8>) -> io::Result<Option<Place>> {
        loop {
            let mut place = Place { line: self.line, offset: self.offset, fault: None };
            let mut ended = false;
            while !ended {
                let available = self.bytes.fill_buf()?;
                if available.is_empty() {
                    break;
                }
                let newline = memchr::memchr(b'\n', available);
                let taken = newline.map_or(available.len(), |at| at + 1);
                let room = self.max_row_bytes.saturating_sub(row.len());
                if taken > room {
                    place.fault = Some(self.too_long());
                } else {
                    row.extend_from_slice(&self.bytes.fill_buf()?[..taken]);
                }
                ended = newline.is_some();
                self.bytes.consume(taken);
                self.offset += taken as u64;
            }
            if self.offset == place.offset {
                return Ok(None);
            }
            self.line += 1;
            if place.fault.is_some() || !row.trim_ascii().is_empty() {
                return Ok(Some(place));
            }
            row.clear();
        }
    }

    fn too_long(&self) -> String {
        format!("it is longer than max_row_bytes, {} bytes", self.max_row_bytes)
    }

    /// Takes one byte.
    fn take(&mut self, byte: u8) {
        self.bytes.consume(1);
        self.offset += 1;
        self.line += u64::from(byte == b'\n');
    }

    /// The next byte that is no white space, not taken.
    fn peek(&mut self) -> io::Result<Option<u8>> {
        loop {
            match self.bytes.fill_buf()?.first().copied() {
                Some(byte) if byte.is_ascii_whitespace() => self.take(byte),
                other => return Ok(other),
            }
        }
    }

    fn next_value(&mut self, row: &mut Vec<u8>) -> io::Result<Option<Place>> {
        let mut next = self.peek()?;
        if self.split == Split::Start {
            self.split = Split::Stream;
            if next == Some(b'[') {
                self.take(b'[');
                self.split = Split::Elements { any: false };
                next = self.peek()?;
            }
        }
        let mut fault = None;
        if let Split::Elements { any } = self.split {
            match next {
                Some(b']') => {
                    self.take(b']');
                    self.split = Split::Ended;
                    next = self.peek()?;
                }
                Some(b',') if any => {
                    self.take(b',');
                    next = self.peek()?;
                    if matches!(next, Some(b']' | b',')) {
                        fault = Some("nothing stands behind a comma".to_owned());
                    }
                }
                None => fault = Some("the array is not closed: the file was cut off".to_owned()),
                Some(_) if any => fault = Some("no comma stands before it".to_owned()),
                Some(_) => {}
            }
            if self.split != Split::Ended {
                self.split = Split::Elements { any: true };
            }
        }
        let mut place = Place { line: self.line, offset: self.offset, fault };
        match (self.split, next) {
            (Split::Ended, Some(_)) => {
                place.fault = Some("text stands behind the array".to_owned());
                self.skip_all()?;
                return Ok(Some(place));
            }
            (Split::Elements { .. }, None) => {
                self.split = Split::Stream;
                return Ok(Some(place));
            }
            (_, None) => return Ok(None),
            (Split::Elements { .. }, Some(b']' | b',')) => return Ok(Some(place)),
            _ => {}
        }
        self.value(row, &mut place)?;
        Ok(Some(place))
    }

    fn skip_all(&mut self) -> io::Result<()> {
        loop {
            let taken = self.bytes.fill_buf()?.len();
            if taken == 0 {
                return Ok(());
            }
            self.bytes.consume(taken);
        }
    }

    /// Takes one value: up to the bracket that closes it, or up to what separates scalars. Brackets
    /// within strings do not count; nothing else about the value is judged here.
    fn value(&mut self, row: &mut Vec<u8>, place: &mut Place) -> io::Result<()> {
        let mut scan = Scan::default();
        loop {
            let available = self.bytes.fill_buf()?;
            if available.is_empty() {
                if scan.depth > 0 || scan.string {
                    place.fault = Some("the file ends within it".to_owned());
                }
                return Ok(());
            }
            let (mut taken, mut ended) = (0, false);
            while taken < available.len() && !ended {
                match scan.step(available[taken]) {
                    Step::Inside => taken += 1,
                    Step::Last => {
                        taken += 1;
                        ended = true;
                    }
                    Step::Behind => ended = true,
                }
            }
            let part = &available[..taken];
            if part.len() > self.max_row_bytes.saturating_sub(row.len()) {
                place.fault = Some(format!("it is longer than max_row_bytes, {} bytes", self.max_row_bytes));
            } else {
                row.extend_from_slice(part);
            }
            self.line += memchr::memchr_iter(b'\n', part).count() as u64;
            self.bytes.consume(taken);
            self.offset += taken as u64;
            if ended {
                return Ok(());
            }
        }
    }
}

/// Where in a value the scan is.
#[derive(Default)]
struct Scan {
    depth: u32,
    string: bool,
    escaped: bool,
    begun: bool,
}

enum Step {
    Inside,
    Last,
    Behind,
}

impl Scan {
    fn step(&mut self, byte: u8) -> Step {
        if self.string {
            if self.escaped {
                self.escaped = false;
            } else if byte == b'\\' {
                self.escaped = true;
            } else if byte == b'"' {
                self.string = false;
                if self.depth == 0 {
                    return Step::Last;
                }
            }
            return Step::Inside;
        }
        match byte {
            b'"' => self.string = true,
            b'{' | b'[' => self.depth += 1,
            b'}' | b']' if self.depth > 0 => {
                self.depth -= 1;
                if self.depth == 0 {
                    return Step::Last;
                }
            }
            b',' | b']' | b'}' if self.depth == 0 => {
                return if self.begun { Step::Behind } else { Step::Last };
            }
            _ if self.depth == 0 && byte.is_ascii_whitespace() && self.begun => return Step::Behind,
            _ => {}
        }
        self.begun = true;
        Step::Inside
    }
}

//! What is compared: a case file, or lines of which each is one, out of pieces cut anywhere.

use alamein_cases::{Case, Known, parse};
use alamein_proto::v1::ErrorReason;

use crate::fault::Fault;

/// How long a case file, or a line of a record, may be.
const MOST: usize = 64 << 20;

/// Takes pieces and gives cases.
pub(super) struct Content<'a> {
    known: &'a Known,
    /// How many hexes the map of a case may have.
    max_hexes: usize,
    rest: Vec<u8>,
    /// How much of the rest was given already.
    at: usize,
    /// How much of the rest is known to have no end of a line.
    searched: usize,
    /// Whether each line is a case; not known before the first line is whole.
    lines: Option<bool>,
    /// How many lines were read.
    line: usize,
    /// How many lines could not be.
    unreadable: u64,
}

impl<'a> Content<'a> {
    pub(super) fn new(known: &'a Known, max_hexes: usize) -> Self {
        Self {
            known,
            max_hexes,
            rest: Vec::new(),
            at: 0,
            searched: 0,
            lines: None,
            line: 0,
            unreadable: 0,
        }
    }

    /// Takes a piece.
    pub(super) fn take(&mut self, piece: &[u8]) -> Result<(), Fault> {
        // Once for each piece, not for each line: there may be millions of them.
        self.rest.drain(..self.at);
        self.searched -= self.at;
        self.at = 0;
        self.rest.extend_from_slice(piece);
        if self.rest.len() > MOST {
            let text = format!("content: a case file, or a line, may have {MOST} bytes");
            return Err(Fault::new(ErrorReason::TooLong, &*text)
                .with("field", "content")
                .with("max", MOST)
                .field("content", text));
        }
        Ok(())
    }

    /// The next case that is whole by now.
    pub(super) fn next(&mut self) -> Option<Case> {
        loop {
            let line = self.next_line()?;
            if let Some(case) = self.of_line(&line) {
                return Some(case);
            }
        }
    }

    /// The next line, if it is whole and lines are what there is.
    fn next_line(&mut self) -> Option<Vec<u8>> {
        if self.lines == Some(false) {
            return None;
        }
        let new = self.rest.get(self.searched..)?;
        let Some(end) = new.iter().position(|byte| *byte == b'\n') else {
            self.searched = self.rest.len();
            return None;
        };
        let end = self.searched + end;
        let line = self.rest[self.at..end].to_vec();
        self.searched = end + 1;
        // What is no case on a line of its own is a file that goes over many.
        let lines = *self.lines.get_or_insert_with(|| is_whole(&line));
        lines.then(|| {
            self.at = end + 1;
            line
        })
    }

    /// The last case, and how many lines could not be read.
    pub(super) fn end(mut self) -> Result<(Option<Case>, u64), Fault> {
        let rest = self.rest.split_off(self.at);
        if rest.trim_ascii().is_empty() {
            return Ok((None, self.unreadable));
        }
        if self.lines == Some(true) {
            let case = self.of_line(&rest);
            return Ok((case, self.unreadable));
        }
        let case = self.read("content", &rest).map_err(|why| {
            Fault::new(ErrorReason::CaseFileInvalid, &*why)
                .with("path", "content")
                .field("content", why)
        })?;
        Ok((Some(case), self.unreadable))
    }

    /// A line that cannot be read is counted: a record may have been cut off in the midst of one.
    fn of_line(&mut self, line: &[u8]) -> Option<Case> {
        self.line += 1;
        if line.trim_ascii().is_empty() {
            return None;
        }
        match self.read(&format!("line {}", self.line), line) {
            Ok(case) => Some(case),
            Err(why) => {
                tracing::debug!("a line of a record is passed over: {why}");
                self.unreadable += 1;
                None
            }
        }
    }

    /// A case whose map is as large as a request's may be: to look at a larger one takes a plugin long.
    fn read(&self, name: &str, bytes: &[u8]) -> Result<Case, String> {
        let text = std::str::from_utf8(bytes).map_err(|_| format!("{name}: is not UTF-8"))?;
        let case = parse(name, text, self.known).map_err(|error| error.to_string())?;
        let (hexes, most) = (case.position.map().grid.len(), self.max_hexes);
        if hexes > most {
            let why = format!("{name}: map: it has {hexes} hexes; this server allows {most}");
            return Err(why);
        }
        Ok(case)
    }
}

fn is_whole(line: &[u8]) -> bool {
    let object = serde_json::from_slice::<serde_json::Value>(line);
    object.is_ok_and(|value| value.is_object())
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "{\"id\": \"a\",\n \"map\": {\"board\": {\"columns\": 3, \"rows\": 3}},\n \"counters\": []}\n";

    fn cases(text: &str, piece: usize) -> Result<(Vec<String>, u64), Fault> {
        let known = Known::default();
        let mut content = Content::new(&known, 12);
        let mut found = Vec::new();
        for piece in text.as_bytes().chunks(piece) {
            content.take(piece)?;
            found.extend(std::iter::from_fn(|| content.next()));
        }
        let (last, unreadable) = content.end()?;
        found.extend(last);
        Ok((found.into_iter().map(|case| case.id).collect(), unreadable))
    }

    fn line(id: &str) -> String {
        FILE.replace("\"a\"", &format!("{id:?}")).replace('\n', "") + "\n"
    }

    #[test]
    fn a_file_and_lines_are_told_apart_wherever_they_are_cut() {
        let record = line("a") + "\n" + &line("b") + line("c").trim_end();
        for piece in [1, 7, 1000] {
            assert_eq!(cases(FILE, piece).unwrap(), (vec!["a".to_owned()], 0));
            let all = ["a", "b", "c"].map(str::to_owned).to_vec();
            assert_eq!(cases(&record, piece).unwrap(), (all, 0));
            assert_eq!(cases(line("a").trim_end(), piece).unwrap().0, ["a"]);
        }
        assert_eq!(cases("", 1).unwrap(), (vec![], 0));
    }

    #[test]
    fn a_piece_of_nothing_but_ends_of_lines_is_soon_read() {
        let start = std::time::Instant::now();
        let record = line("a") + &"\n".repeat(4 << 20) + &line("b");
        assert_eq!(cases(&record, record.len()).unwrap().0, ["a", "b"]);
        // To move the rest at each of them would take hours.
        assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
    }

    #[test]
    fn a_map_that_is_too_large_is_not_looked_at() {
        let large = |text: String| text.replace("\"rows\": 3", "\"rows\": 5");
        let status: tonic::Status = cases(&large(FILE.into()), 9).unwrap_err().into();
        assert_eq!(status.code(), tonic::Code::InvalidArgument);
        assert!(status.message().contains("16 hexes"), "{status}");
        let record = line("a") + &large(line("b")) + &line("c");
        let (found, unreadable) = cases(&record, 9).unwrap();
        assert_eq!((found, unreadable), (vec!["a".into(), "c".into()], 1));
    }

    #[test]
    fn a_broken_line_is_counted_and_a_broken_file_is_an_error() {
        let record = line("a") + "{\"id\": \n" + &line("b") + "{\"i";
        let (found, unreadable) = cases(&record, 5).unwrap();
        assert_eq!((found.len(), unreadable), (2, 2));
        let status: tonic::Status = cases("{\"id\": 1,\n", 5).unwrap_err().into();
        assert_eq!(status.code(), tonic::Code::InvalidArgument);
    }
}

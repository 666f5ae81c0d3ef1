//! The console log of a trial: everything that a scenario prints, in a file that this product and
//! the original tool can read.
//!
//! Three things happen between the scenario and the file: bytes that are not UTF-8 are replaced
//! (the original tool refuses a log with an invalid byte), secrets are masked, and output above a
//! limit is dropped. Live viewers receive the same text.

use koab_core::secrets::Secrets;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;

/// Replacement for secrets in the log.
const MASK: &str = "[secret]";

/// Writer of one console log.
pub struct Console {
    file: File,
    /// Standard output, or both outputs where they are one stream.
    output: Masked,
    /// Standard error where it is a stream of its own.
    errors: Masked,
    /// Number of bytes written so far.
    written: u64,
    /// Maximum number of bytes to write.
    limit: u64,
    truncated: bool,
}

impl Console {
    /// Creates the file. An existing file is not overwritten.
    ///
    /// # Errors
    /// When the file exists or cannot be created.
    pub fn create(path: &Path, limit: u64, secrets: &[String]) -> std::io::Result<Self> {
        let file = OpenOptions::new().read(true).write(true).create_new(true).open(path)?;
        Ok(Self {
            file,
            output: Masked::new(secrets),
            errors: Masked::new(secrets),
            written: 0,
            limit,
            truncated: false,
        })
    }

    /// Writes bytes from the scenario, and returns the text that was written, for live viewers.
    ///
    /// Text may be written later than its bytes arrive: an incomplete character and a possible
    /// beginning of a secret are held back until the next bytes.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn write(&mut self, bytes: &[u8]) -> std::io::Result<String> {
        // Further output is read so that the scenario can continue, and dropped.
        if self.truncated {
            return Ok(String::new());
        }
        let text = self.output.push(bytes);
        self.put(text)
    }

    /// Does the same as [`Console::write`] with bytes of standard error. A secret in one stream is
    /// masked although the other stream writes in the middle of it.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn write_error(&mut self, bytes: &[u8]) -> std::io::Result<String> {
        if self.truncated {
            return Ok(String::new());
        }
        let text = self.errors.push(bytes);
        self.put(text)
    }

    /// Writes a line of the product's own, after the text that [`Console::write`] held back.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn note(&mut self, line: &str) -> std::io::Result<String> {
        let mut text = self.flush_waiting()?;
        let note = format!("\n{line}\n");
        self.file.write_all(note.as_bytes())?;
        text.push_str(&note);
        Ok(text)
    }

    /// Writes the text that [`Console::write`] held back. Returns that text, and whether output was
    /// dropped because of the limit.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn finish(self) -> std::io::Result<(String, bool)> {
        let (text, truncated, _) = self.into_log()?;
        Ok((text, truncated))
    }

    /// Does the same as [`Console::finish`] and also returns the open file, which contains the log
    /// even if the scenario renamed or removed it.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub(crate) fn into_log(mut self) -> std::io::Result<(String, bool, File)> {
        let text = self.flush_waiting()?;
        self.file.sync_all()?;
        Ok((text, self.truncated, self.file))
    }

    fn flush_waiting(&mut self) -> std::io::Result<String> {
        let text = self.output.finish() + &self.errors.finish();
        self.put(text)
    }

    fn put(&mut self, mut text: String) -> std::io::Result<String> {
        if self.truncated || text.is_empty() {
            return Ok(String::new());
        }
        let room = self.limit - self.written;
        if text.len() as u64 > room {
            self.truncated = true;
            let fits = usize::try_from(room).unwrap_or(usize::MAX);
            text.truncate(text.floor_char_boundary(fits));
            text.push_str(&format!("\n[output over {} bytes is not kept]\n", self.limit));
        }
        self.written += text.len() as u64;
        self.file.write_all(text.as_bytes())?;
        Ok(text)
    }
}

/// A stream that is decoded and masked.
struct Masked {
    decoder: Decoder,
    masks: Masks,
}

impl Masked {
    fn new(secrets: &[String]) -> Self {
        Self { decoder: Decoder::default(), masks: Masks::new(secrets) }
    }

    /// Adds bytes, and returns the text that can be written now.
    fn push(&mut self, bytes: &[u8]) -> String {
        let text = self.decoder.push(bytes);
        self.masks.push(&text)
    }

    /// Returns the text that was held back.
    fn finish(&mut self) -> String {
        let rest = self.decoder.finish();
        self.masks.push(&rest) + &self.masks.finish()
    }
}

/// Decodes bytes to text, joining characters that are cut between two chunks.
#[derive(Default)]
struct Decoder {
    waiting: Vec<u8>,
}

impl Decoder {
    fn push(&mut self, bytes: &[u8]) -> String {
        self.waiting.extend_from_slice(bytes);
        let bytes = std::mem::take(&mut self.waiting);
        let mut text = String::with_capacity(bytes.len());
        let mut rest = bytes.as_slice();
        while !rest.is_empty() {
            match std::str::from_utf8(rest) {
                Ok(good) => {
                    text.push_str(good);
                    break;
                }
                Err(error) => {
                    let (good, bad) = rest.split_at(error.valid_up_to());
                    text.push_str(&String::from_utf8_lossy(good));
                    if let Some(length) = error.error_len() {
                        text.push(char::REPLACEMENT_CHARACTER);
                        rest = &bad[length..];
                    } else {
                        // The beginning of a character whose end has not arrived.
                        self.waiting = bad.to_vec();
                        break;
                    }
                }
            }
        }
        text
    }

    fn finish(&mut self) -> String {
        String::from_utf8_lossy(&std::mem::take(&mut self.waiting)).into_owned()
    }
}

/// Replaces secrets, including those that are cut between two chunks.
struct Masks {
    /// Secrets in all their spellings, such as percent encoding, longest first, so that a secret
    /// that contains another one is replaced as a whole.
    spellings: Vec<String>,
    /// Whether a byte is the first of a spelling. Most text contains no such byte and needs no
    /// further comparison.
    begins: [bool; 256],
    waiting: String,
}

impl Masks {
    fn new(secrets: &[String]) -> Self {
        let spellings: Vec<String> = Secrets::new(MASK, 1, secrets).spellings().map(str::to_owned).collect();
        let mut begins = [false; 256];
        for spelling in &spellings {
            begins[usize::from(spelling.as_bytes()[0])] = true;
        }
        Self { spellings, begins, waiting: String::new() }
    }

    /// Adds text, and returns the text that can be written now. The end of the text is held back if
    /// it may be the beginning of a secret.
    fn push(&mut self, text: &str) -> String {
        if self.spellings.is_empty() {
            return text.to_owned();
        }
        self.waiting.push_str(text);
        let text = std::mem::take(&mut self.waiting);
        let mut done = String::with_capacity(text.len());
        let mut rest = text.as_str();
        loop {
            let begin = rest.bytes().position(|byte| self.begins[usize::from(byte)]);
            let (before, after) = rest.split_at(begin.unwrap_or(rest.len()));
            done.push_str(before);
            rest = after;
            let Some(first) = rest.chars().next() else { break };
            if self.spellings.iter().any(|secret| secret.len() > rest.len() && secret.starts_with(rest)) {
                rest.clone_into(&mut self.waiting);
                break;
            }
            if let Some(after) = self.spellings.iter().find_map(|secret| rest.strip_prefix(secret.as_str())) {
                done.push_str(MASK);
                rest = after;
            } else {
                done.push(first);
                rest = &rest[first.len_utf8()..];
            }
        }
        done
    }

    /// Returns the text that was held back, after masking it. Called when no further text follows.
    fn finish(&mut self) -> String {
        let mut text = std::mem::take(&mut self.waiting);
        for spelling in &self.spellings {
            text = text.replace(spelling.as_str(), MASK);
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Console;

    fn log(chunks: &[&[u8]], limit: u64, secrets: &[&str]) -> (String, String, bool) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("console_log.txt");
        let secrets: Vec<String> = secrets.iter().map(|secret| (*secret).to_owned()).collect();
        let mut console = Console::create(&path, limit, &secrets).unwrap();
        let mut seen = String::new();
        for chunk in chunks {
            seen.push_str(&console.write(chunk).unwrap());
        }
        let (rest, truncated) = console.finish().unwrap();
        seen.push_str(&rest);
        (std::fs::read_to_string(path).unwrap(), seen, truncated)
    }

    #[test]
    fn a_character_cut_between_chunks_arrives_whole_and_a_bad_byte_is_replaced() {
        let (file, seen, truncated) =
            log(&[&"가나".as_bytes()[..4], &"가나".as_bytes()[4..], b"\xff!"], 100, &[]);
        assert_eq!(file, "가나\u{fffd}!");
        assert_eq!(seen, file);
        assert!(!truncated);
    }

    #[test]
    fn a_secret_that_is_cut_by_the_other_stream_is_masked_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("console_log.txt");
        let mut console = Console::create(&path, 1000, &["sk-canary-1".to_owned()]).unwrap();
        let mut seen = console.write(b"out sk-ca").unwrap();
        seen += &console.write_error(b"err sk-canary-1, sk-can").unwrap();
        seen += &console.write(b"nary-1 end\n").unwrap();
        seen += &console.write_error(b"ary-1\n").unwrap();
        seen += &console.finish().unwrap().0;
        assert_eq!(seen, "out err [secret], [secret] end\n[secret]\n");
        assert_eq!(std::fs::read_to_string(path).unwrap(), seen);
    }

    #[test]
    fn a_secret_never_reaches_the_file_even_when_it_is_cut() {
        let (file, seen, _) = log(
            &[b"key=sk-ca", b"nary-1 and sk-canary-12\n", b"sk-can"],
            1000,
            &["sk-canary-1", "sk-canary-12"],
        );
        assert_eq!(file, "key=[secret] and [secret]\nsk-can", "the longer secret is replaced whole");
        assert_eq!(seen, file);
    }

    #[test]
    fn more_than_the_limit_is_left_out_and_said_at_a_character_s_border() {
        let (file, _, truncated) = log(&["가나다".as_bytes(), b"more"], 7, &[]);
        assert_eq!(file, "가나\n[output over 7 bytes is not kept]\n");
        assert!(truncated);
    }

    proptest! {
        #[test]
        fn chunks_make_no_difference(text in "[ab가]{0,40}", cuts in prop::collection::vec(0usize..60, 0..6), secret in "[ab]{2,4}|[ab가]{2}") {
            let bytes = text.as_bytes();
            let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(bytes.len())).collect();
            cuts.extend([0, bytes.len()]);
            cuts.sort_unstable();
            let chunks: Vec<&[u8]> = cuts.windows(2).map(|pair| &bytes[pair[0]..pair[1]]).collect();
            let (file, seen, _) = log(&chunks, 1000, &[&secret]);
            prop_assert!(!file.contains(&secret), "{file}");
            prop_assert_eq!(&seen, &file);
            prop_assert_eq!(file, text.replace(&secret, "[secret]"));
        }
    }
}

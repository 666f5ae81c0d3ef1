//! Saved indexes of long journals, so that another process can open a run without reading its whole
//! journal.
//!
//! A saved index is valid only while its journal is unchanged or has grown. Otherwise, or when it
//! is damaged, the index is rebuilt. Attempts are always read from the journal itself, with their
//! checksum.

use super::JournalIndex;
use crate::atomic;
use crate::error::Result;
use crate::run_log::JOURNAL;
use koab_core::run_record::{AttemptSummary, Journal};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::fs::{self, File};
use std::io::{self, BufReader, Read, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

/// Version of the file format. It rises with every change of an index.
const FORMAT: u32 = 6;
/// Size in bytes of the hash at the end of a saved index.
const SUM_BYTES: u64 = 32;
/// Minimum number of new journal bytes that justifies saving an index. Less is read in a moment.
const MIN_NEW_BYTES: u64 = 4 << 20;
/// Number of bytes before the end of the indexed part that are hashed to detect changes.
const TAIL_BYTES: u64 = 4096;
/// Maximum number of saved indexes. The oldest are deleted.
const MAX_INDEXES: usize = 256;

/// Folder of saved indexes.
#[derive(Clone, Debug)]
pub struct SavedIndexes {
    folder: PathBuf,
}

/// State of a journal when its index was saved.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct JournalState {
    format: u32,
    length: u64,
    changed_ns: u64,
    /// SHA-256 of the last bytes of the indexed part.
    tail: String,
}

#[derive(Deserialize)]
struct Saved {
    state: JournalState,
    journal: Journal<AttemptSummary>,
}

#[derive(Serialize)]
struct ToSave<'a> {
    state: JournalState,
    journal: &'a Journal<AttemptSummary>,
}

impl SavedIndexes {
    /// Uses the indexes in this folder, which need not exist.
    pub fn at(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// Loads the index of a run, up to the point where its journal was read when the index was
    /// saved.
    pub fn load(&self, run: &Path) -> Option<JournalIndex> {
        let mut file = File::open(self.path(run)).ok()?;
        let content = file.metadata().ok()?.len().checked_sub(SUM_BYTES)?;
        if !is_whole(&mut file, content).ok()? {
            return None;
        }
        // Streamed, because the JSON text is larger than the parsed index.
        let saved: Saved = serde_json::from_reader(BufReader::new(file).take(content)).ok()?;
        let length = saved.journal.length();
        let now = state(run, length).ok()?;
        let grown = fs::metadata(run.join(JOURNAL)).ok()?.len() > length;
        let same = now.tail == saved.state.tail
            && now.format == saved.state.format
            && (grown || now.changed_ns == saved.state.changed_ns);
        same.then_some(JournalIndex { saved: length, journal: saved.journal })
    }

    /// Saves an index if it covers much that was not saved before.
    ///
    /// # Errors
    /// When the disk refuses. Nothing is lost, and saving is tried again only after the journal has
    /// grown.
    pub fn save(&self, run: &Path, index: &mut JournalIndex) -> Result<()> {
        let length = index.journal.length();
        let new = length - index.saved.min(length);
        if new < MIN_NEW_BYTES.max(length / 8) {
            return Ok(());
        }
        index.saved = length;
        let path = self.path(run);
        let state = state(run, length).map_err(|error| crate::Error::io("read", &path, &error))?;
        let journal = &index.journal;
        atomic::write_by(&path, |file| {
            let mut sealed = Sealed { file, sum: Sha256::new() };
            serde_json::to_writer(&mut sealed, &ToSave { state, journal })?;
            let sum = sealed.sum.finalize();
            sealed.file.write_all(&sum)
        })?;
        self.remove_oldest();
        Ok(())
    }

    /// File of a run's index. Its name is a hash of the run's path.
    fn path(&self, run: &Path) -> PathBuf {
        let name = Sha256::digest(run.as_os_str().as_encoded_bytes());
        self.folder.join(format!("{}.index", hex::encode(&name[..16])))
    }

    fn remove_oldest(&self) {
        let Ok(entries) = fs::read_dir(&self.folder) else {
            return;
        };
        let mut files: Vec<_> = entries
            .flatten()
            .filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path())))
            .collect();
        if files.len() > MAX_INDEXES {
            files.sort();
            for (_, path) in &files[..files.len() - MAX_INDEXES] {
                let _ = fs::remove_file(path);
            }
        }
    }
}

/// Whether a saved index ends with the hash of the content before it. Rewinds the file.
fn is_whole(file: &mut File, content: u64) -> io::Result<bool> {
    let mut read = Sealed { file: &mut io::sink(), sum: Sha256::new() };
    io::copy(&mut Read::by_ref(file).take(content), &mut read)?;
    let hash = read.sum;
    let mut sum = Vec::new();
    file.read_to_end(&mut sum)?;
    file.rewind()?;
    Ok(*hash.finalize() == *sum)
}

/// State of a run's journal, with the hash of the end of its first `length` bytes.
fn state(run: &Path, length: u64) -> io::Result<JournalState> {
    let mut file = File::open(run.join(JOURNAL))?;
    let changed = file.metadata()?.modified()?.duration_since(UNIX_EPOCH);
    let start = length.saturating_sub(TAIL_BYTES);
    file.seek(SeekFrom::Start(start))?;
    let mut tail = Vec::new();
    file.take(length - start).read_to_end(&mut tail)?;
    Ok(JournalState {
        format: FORMAT,
        length,
        changed_ns: changed.map_or(0, |since| since.as_nanos() as u64),
        tail: hex::encode(Sha256::digest(&tail)),
    })
}

/// Writer that hashes everything written.
struct Sealed<'a> {
    file: &'a mut dyn io::Write,
    sum: Sha256,
}

impl io::Write for Sealed<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.file.write(bytes)?;
        self.sum.update(&bytes[..count]);
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// Longer than what is read in a moment.
    fn long_journal(run: &Path) {
        let mut journal = File::create(run.join(JOURNAL)).expect("made");
        let text = "가".repeat(4096);
        for repetition in 1..=400 {
            let record = json!({"type": "attempt", "record": {
                "task": "A", "level": "L1", "repetition": repetition, "success": true, "stop": "answered", "error": null,
                "took_s": 0.1, "final_response": text, "messages": [], "steps": [],
                "calls": [],
            }});
            io::Write::write_all(&mut journal, format!("{record}\n").as_bytes()).expect("written");
        }
    }

    fn read(run: &Path, mut index: JournalIndex) -> JournalIndex {
        index.update(run).expect("read");
        index
    }

    #[test]
    fn what_is_saved_is_the_index_while_the_journal_is_as_it_was_or_longer() {
        let folder = tempfile::tempdir().expect("a folder");
        let (run, saved) = (folder.path(), SavedIndexes::at(folder.path().join("indexes")));
        long_journal(run);
        let mut index = read(run, JournalIndex::default());
        saved.save(run, &mut index).expect("saved");
        let same = |one: &JournalIndex, other: &JournalIndex| one.attempts().eq(other.attempts());
        let loaded = saved.load(run).expect("there is one");
        assert!(loaded.is_current(run) && same(&loaded, &index) && loaded.len() == 400);

        // Longer: what is new is read behind it, and two lines more are not worth another file.
        let path = run.join(JOURNAL);
        let text = fs::read_to_string(&path).expect("read");
        let line = text.lines().next().expect("a line").replace("\"repetition\":1,", "\"repetition\":401,");
        fs::write(&path, format!("{text}{line}\n")).expect("written");
        let mut grown = read(run, saved.load(run).expect("it still counts"));
        assert_eq!(grown.len(), 401);
        assert!(same(&grown, &read(run, JournalIndex::default())));
        saved.save(run, &mut grown).expect("nothing to save");
        assert_eq!(saved.load(run).map(|index| index.len()), Some(400));

        // As long as it was and another, or another end: it does not count.
        fs::write(&path, text.replacen("\"success\":true", "\"success\":null", 1)).expect("written");
        assert!(saved.load(run).is_none(), "changed since");
        fs::write(&path, text.replace('가', "나")).expect("written");
        assert!(saved.load(run).is_none(), "another journal");
        fs::write(&path, "").expect("written");
        assert!(saved.load(run).is_none(), "a shorter journal");
    }

    #[test]
    fn an_index_that_cannot_be_saved_is_tried_again_after_growth() {
        let folder = tempfile::tempdir().expect("a folder");
        let in_the_way = folder.path().join("indexes");
        fs::write(&in_the_way, "").expect("written");
        let (run, saved) = (folder.path(), SavedIndexes::at(in_the_way.clone()));
        long_journal(run);
        let mut index = read(run, JournalIndex::default());
        saved.save(run, &mut index).expect_err("a file is no folder");
        saved.save(run, &mut index).expect("not tried again");
        fs::remove_file(&in_the_way).expect("removed");
        let path = run.join(JOURNAL);
        let text = fs::read_to_string(&path).expect("read");
        fs::write(&path, format!("{text}{text}")).expect("written");
        saved.save(run, &mut read(run, index)).expect("saved");
        assert!(saved.load(run).is_some());
    }

    #[test]
    fn a_damaged_index_is_none() {
        let folder = tempfile::tempdir().expect("a folder");
        let (run, saved) = (folder.path(), SavedIndexes::at(folder.path().join("indexes")));
        long_journal(run);
        saved.save(run, &mut read(run, JournalIndex::default())).expect("saved");
        let path = saved.path(run);
        let whole = fs::read(&path).expect("read");
        for place in (0..whole.len()).step_by(whole.len() / 50) {
            let mut flipped = whole.clone();
            flipped[place] ^= 1;
            fs::write(&path, flipped).expect("written");
            assert!(saved.load(run).is_none(), "a bit of byte {place}");
            fs::write(&path, &whole[..place]).expect("written");
            assert!(saved.load(run).is_none(), "cut at byte {place}");
        }
        fs::write(&path, &whole).expect("written");
        assert!(saved.load(run).is_some());
    }
}

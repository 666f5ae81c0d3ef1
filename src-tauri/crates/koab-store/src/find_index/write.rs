//! Writes runs into the index, each in one transaction.

use super::attempts::{self, AttemptFacts};
use super::database::{refused, unreadable};
use super::document::{AttemptDocument, RunHead};
use super::places::{self, Place};
use super::text_match::{parts, with_marks};
use crate::error::Result;
use crate::table::packed;
use koab_core::find::{TextField, fold};
use koab_core::sentence::Sentence;
use rusqlite::{Connection, OptionalExtension as _, Transaction, TransactionBehavior, params};
use sha2::{Digest as _, Sha256};
use std::collections::{BTreeSet, HashMap};

/// Half of a text's SHA-256.
type TextHash = [u8; 16];

/// A run that is being written. Nothing changes until it is finished.
pub(super) struct RunWriter<'a> {
    transaction: Transaction<'a>,
    run: i64,
    first: i64,
    attempts: i64,
    facts: Vec<u8>,
    words: HashMap<String, i64>,
    texts: HashMap<TextHash, i64>,
}

impl<'a> RunWriter<'a> {
    /// Begins a run, without what the index had of it.
    pub(super) fn begin(connection: &'a mut Connection, head: &RunHead<'_>) -> Result<Self> {
        Self::with_row(connection, head).map_err(refused)
    }

    fn with_row(connection: &'a mut Connection, head: &RunHead<'_>) -> rusqlite::Result<Self> {
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        remove_rows(&transaction, head.run)?;
        let sql = "SELECT COALESCE(MAX(first + attempts), 0) FROM run";
        let first: i64 = transaction.query_row(sql, [], |row| row.get(0))?;
        let sql = "INSERT INTO run (name, stamp, date, model, pack, first, attempts, facts, problems)
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, 0, x'', '[]')";
        let RunHead { run, stamp, model, pack, date } = head;
        transaction.execute(sql, params![run, stamp, date, model, pack, first])?;
        let run = transaction.last_insert_rowid();
        let (words, texts) = (HashMap::new(), HashMap::new());
        Ok(Self { transaction, run, first, attempts: 0, facts: Vec::new(), words, texts })
    }

    /// Adds an attempt.
    pub(super) fn attempt(&mut self, attempt: &AttemptDocument) -> Result<()> {
        self.add(attempt).map_err(refused)
    }

    fn add(&mut self, document: &AttemptDocument) -> rusqlite::Result<()> {
        let id = self.first + self.attempts;
        let tools = document.tools.iter().map(|tool| Ok(self.word(tool)? as u64));
        let tools = tools.collect::<rusqlite::Result<Vec<u64>>>()?;
        let facts = AttemptFacts {
            task: self.word(&document.task)? as u64,
            level: self.word(&document.level)? as u64,
            repetition: u64::from(document.repetition),
            status: self.word(&document.status)? as u64,
            steps: u64::from(document.steps),
            calls: u64::from(document.calls),
            tokens: document.tokens,
            seconds: document.seconds,
            tools,
        };
        attempts::write(&facts, &mut self.facts);
        let mut places = Vec::new();
        for text in document.texts.iter().filter(|text| !text.text.is_empty()) {
            let name = match &text.field {
                TextField::Argument(Some(name)) => self.word(name)?,
                _ => 0,
            };
            let place = Place {
                field: places::field_number(&text.field),
                name: name as u64,
                number: u64::from(text.number),
                text: self.text(&text.text)? as u64,
            };
            places.push(place);
        }
        places.sort_by_key(|place| (place.field, place.number, place.name, place.text));
        let sql = "INSERT OR IGNORE INTO place (text, field, name, attempt) VALUES (?1, ?2, ?3, ?4)";
        let mut insert = self.transaction.prepare_cached(sql)?;
        for place in &places {
            insert.execute([place.text as i64, place.field as i64, place.name as i64, id])?;
        }
        let sql = "INSERT INTO attempt (id, places) VALUES (?1, ?2)";
        self.transaction.prepare_cached(sql)?.execute(params![id, places::write(&places)])?;
        let sql = "INSERT OR IGNORE INTO score (metric, attempt, value) VALUES (?1, ?2, ?3)";
        let mut insert = self.transaction.prepare_cached(sql)?;
        for (metric, value) in &document.scores {
            insert.execute(params![metric.name(), id, value])?;
        }
        self.attempts += 1;
        Ok(())
    }

    /// Completes the run.
    pub(super) fn finish(self, problems: &[Sentence]) -> Result<()> {
        let problems = serde_json::to_string(problems).map_err(refused)?;
        let finish = || -> rusqlite::Result<()> {
            let sql = "UPDATE run SET attempts = ?2, facts = ?3, problems = ?4 WHERE id = ?1";
            self.transaction.execute(sql, params![self.run, self.attempts, self.facts, problems])?;
            self.transaction.commit()
        };
        finish().map_err(refused)
    }

    /// Id of a name.
    fn word(&mut self, text: &str) -> rusqlite::Result<i64> {
        if let Some(id) = self.words.get(text) {
            return Ok(*id);
        }
        let mut find = self.transaction.prepare_cached("SELECT id FROM word WHERE text = ?1")?;
        let id = match find.query_row([text], |row| row.get(0)).optional()? {
            Some(id) => id,
            None => {
                self.transaction.prepare_cached("INSERT INTO word (text) VALUES (?1)")?.execute([text])?;
                self.transaction.last_insert_rowid()
            }
        };
        self.words.insert(text.to_owned(), id);
        Ok(id)
    }

    /// Id of a text, which is added if no attempt has it yet.
    fn text(&mut self, text: &str) -> rusqlite::Result<i64> {
        let mut hash = TextHash::default();
        hash.copy_from_slice(&Sha256::digest(text)[..16]);
        if let Some(id) = self.texts.get(&hash) {
            return Ok(*id);
        }
        let mut find = self.transaction.prepare_cached("SELECT id FROM text WHERE hash = ?1")?;
        let id = match find.query_row([hash], |row| row.get(0)).optional()? {
            Some(id) => id,
            None => {
                let sql = "INSERT INTO text (hash, body) VALUES (?1, ?2)";
                self.transaction.prepare_cached(sql)?.execute(params![hash, packed::pack(text)])?;
                let id = self.transaction.last_insert_rowid();
                let folded = fold(text);
                let sql = "INSERT INTO gram (rowid, body) VALUES (?1, ?2)";
                self.transaction.prepare_cached(sql)?.execute(params![id, with_marks(&folded)])?;
                let sql = "INSERT INTO part (rowid, body) VALUES (?1, ?2)";
                self.transaction.prepare_cached(sql)?.execute(params![id, parts(&folded)])?;
                id
            }
        };
        self.texts.insert(hash, id);
        Ok(id)
    }
}

/// Removes a run.
pub(super) fn remove(connection: &mut Connection, run: &str) -> Result<()> {
    let mut remove = || -> rusqlite::Result<()> {
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        remove_rows(&transaction, run)?;
        transaction.commit()
    };
    remove().map_err(refused)
}

/// Removes the rows of a run, and the texts that no other run has.
fn remove_rows(connection: &Connection, run: &str) -> rusqlite::Result<()> {
    let sql = "SELECT id, first, attempts FROM run WHERE name = ?1";
    let row =
        connection.query_row(sql, [run], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).optional()?;
    let Some((id, first, attempts)): Option<(i64, i64, i64)> = row else {
        return Ok(());
    };
    let mut texts = BTreeSet::new();
    {
        let mut read = connection.prepare("SELECT places FROM attempt WHERE id = ?1")?;
        let sql = "DELETE FROM place WHERE text = ?1 AND field = ?2 AND name = ?3 AND attempt = ?4";
        let mut delete = connection.prepare(sql)?;
        for attempt in first..first + attempts {
            let bytes: Option<Vec<u8>> = read.query_row([attempt], |row| row.get(0)).optional()?;
            let places = places::read(&bytes.unwrap_or_default()).map_err(unreadable)?;
            for place in places {
                delete.execute([place.text as i64, place.field as i64, place.name as i64, attempt])?;
                texts.insert(place.text as i64);
            }
        }
    }
    let range = [first, first + attempts];
    connection.execute("DELETE FROM attempt WHERE id >= ?1 AND id < ?2", range)?;
    connection.execute("DELETE FROM score WHERE attempt >= ?1 AND attempt < ?2", range)?;
    connection.execute("DELETE FROM run WHERE id = ?1", [id])?;
    let sql = "DELETE FROM text WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM place WHERE text = ?1)";
    let mut delete = connection.prepare(sql)?;
    let mut delete_grams = connection.prepare("DELETE FROM gram WHERE rowid = ?1")?;
    let mut delete_parts = connection.prepare("DELETE FROM part WHERE rowid = ?1")?;
    for text in texts {
        if delete.execute([text])? > 0 {
            delete_grams.execute([text])?;
            delete_parts.execute([text])?;
        }
    }
    Ok(())
}

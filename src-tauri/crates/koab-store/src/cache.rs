//! Look-ups in one pack's cached responses.

use crate::db::Store;
use crate::error::{Error, Result};
use crate::recorded_turns::RecordedTurns;
use crate::{packs, table};
use koab_core::args::NormalizedArgs;
use koab_core::say;
use koab_engine::ports::{ResponseCache, StoreError};
use rusqlite::Connection;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Maximum number of bytes of the database that are memory-mapped. The published pack has 50 MB.
pub(crate) const MMAP_BYTES: i64 = 256 << 20;
/// Number of calls per query when all calls of a pack are visited.
const CALLS_PER_QUERY: usize = 500;

/// Cached responses of a pack, frozen when they were opened. A later import changes nothing here,
/// so all attempts of a run read the same snapshot.
#[derive(Debug)]
pub struct PackCache {
    connection: Mutex<Connection>,
    pack: i64,
    generation: i64,
    turns: RecordedTurns,
}

/// Cached response as `koab cache lookup` prints it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RecordDetail {
    /// Tool name.
    pub tool: String,
    /// Canonical arguments of the call.
    pub args: String,
    /// Key of the record in the published layout: the name of its file there, without the
    /// extension.
    pub published_key: String,
    /// `current`, or `stale` when it was recorded under an earlier description or schema of the
    /// tool.
    pub standing: &'static str,
    /// Time of recording, in UTC.
    pub created_at: String,
    /// Answer of the tool, as a model sees it.
    pub data: Value,
}

impl Store {
    /// Opens the cached responses of a pack.
    ///
    /// # Errors
    /// [`Error::NotFound`] when the pack is not installed.
    pub fn cache(&self, pack: &str) -> Result<PackCache> {
        let connection = self.reader()?;
        // Answers are read in place; the system keeps and drops the pages as memory allows.
        connection.pragma_update(None, "mmap_size", MMAP_BYTES)?;
        // A read transaction that never ends pins the snapshot. With a write-ahead log it blocks no
        // writer.
        connection.execute_batch("BEGIN")?;
        let row = packs::require(&connection, pack)?;
        Ok(PackCache {
            connection: Mutex::new(connection),
            pack: row.id,
            generation: row.generation,
            turns: RecordedTurns::default(),
        })
    }
}

impl PackCache {
    /// Generation of the pack when it was opened.
    pub fn generation(&self) -> i64 {
        self.generation
    }

    /// Record that answers a call, with its source.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn find(&self, tool: &str, args: &NormalizedArgs) -> Result<Option<RecordDetail>> {
        let row = table::record::find(&self.lock(), self.pack, tool, &args.canonical())?;
        row.map(|row| {
            Ok(RecordDetail {
                data: parse(row.data.as_bytes(), tool)?,
                standing: row.standing.as_str(),
                tool: row.tool,
                args: row.args,
                published_key: row.published_key,
                created_at: row.created_at,
            })
        })
        .transpose()
    }

    /// Whether a record answers a call. Does not parse the answer.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn answers(&self, tool: &str, args: &NormalizedArgs) -> Result<bool> {
        let answer = table::record::answer(&self.lock(), self.pack, tool, &args.canonical(), |_| Ok(()))?;
        Ok(answer.is_some())
    }

    /// Arguments of all recorded calls of a tool, from their canonical texts.
    ///
    /// # Errors
    /// When the database cannot be read, or a text in it is damaged.
    pub fn answered_args(&self, tool: &str) -> Result<Vec<NormalizedArgs>> {
        let texts = table::record::answered_args(&self.lock(), self.pack, tool)?;
        texts.iter().map(|text| Ok(NormalizedArgs::from_record(&parse(text.as_bytes(), tool)?))).collect()
    }

    /// Passes recorded calls to `each`, by tool and arguments: all calls when there are at most
    /// `most`, else a sample of about `most`.
    ///
    /// The sample is spread over the pack and has no order. The calls are read a few at a time, and
    /// the cache can be used between the reads.
    ///
    /// # Errors
    /// When the database cannot be read, or the error of `each`.
    pub fn each_of_some_calls<E: From<Error>>(
        &self,
        most: usize,
        mut each: impl FnMut(&str, &NormalizedArgs) -> Result<(), E>,
    ) -> Result<(), E> {
        let last = table::record::more_calls_than(&self.lock(), self.pack, most)?;
        for place in (0..most).step_by(CALLS_PER_QUERY) {
            let places = place..most.min(place + CALLS_PER_QUERY);
            let calls = table::record::some_calls(&self.lock(), self.pack, last, places)?;
            if calls.is_empty() && last.is_none() {
                break;
            }
            for (tool, args) in calls {
                if let Ok(args) = serde_json::from_str(&args) {
                    each(&tool, &NormalizedArgs::from_record(&args))?;
                }
            }
        }
        Ok(())
    }

    /// Runs a query on the pack's tables. `read` is given the connection and the pack's row id.
    pub(crate) fn read<T>(&self, read: impl FnOnce(&Connection, i64) -> Result<T>) -> Result<T> {
        read(&self.lock(), self.pack)
    }

    fn lock(&self) -> MutexGuard<'_, Connection> {
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ResponseCache for PackCache {
    fn lookup(&self, tool: &str, args: &NormalizedArgs) -> std::result::Result<Option<Value>, StoreError> {
        let args = args.canonical();
        Ok(table::record::answer(&self.lock(), self.pack, tool, &args, |text| parse(text, tool))?)
    }

    fn lookup_again(
        &self,
        tool: &str,
        args: &NormalizedArgs,
        made: usize,
    ) -> std::result::Result<Option<Value>, StoreError> {
        let Some(first) = self.lookup(tool, args)? else {
            return Ok(None);
        };
        let connection = self.lock();
        Ok(Some(self.turns.answer((&connection, self.pack), (tool, args), made, first)?))
    }
}

/// Parses the text of a record.
///
/// UTF-8 is checked once for the whole text. If the parser checked each string separately, the
/// checks would take a third of a look-up.
pub(crate) fn parse<T: DeserializeOwned>(text: &[u8], tool: &str) -> Result<T> {
    let parsed = match simdutf8::basic::from_utf8(text) {
        Ok(text) => serde_json::from_str(text).ok(),
        Err(_) => None,
    };
    let damaged =
        || Error::BadFile(say!("a record of {tool} in koab.sqlite is damaged; import the pack again"));
    parsed.ok_or_else(damaged)
}

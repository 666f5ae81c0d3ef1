//! Reads cached responses from a pack's files and converts them to rows of the database.
//!
//! Several threads read and hash, since the published cache has 4,582 small files. Their results go
//! to the one thread that writes.

mod list;
pub(super) mod redact;

pub(super) use list::{Unit, UnitKind, list};

use super::roots::{FILE_BYTES, too_large};
use super::watch::Watch;
use crate::error::{Error, Result};
use crate::table::record::{RecordRow, Standing};
use koab_core::args::{self, NormalizedArgs};
use koab_core::cache_key::{published_key, signature};
use koab_core::finding::{Fault, Problem};
use koab_core::python::{self, PyValue, number_repr};
use koab_core::sanitize::sanitize;
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_core::tool::ToolSpec;
use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};
use std::collections::HashMap;
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _};
use std::mem::discriminant;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};

/// Result of reading a file, or one line of it.
pub(super) enum RecordLine {
    Record {
        row: RecordRow,
        /// File or line that the record comes from.
        shown: String,
        /// Whether the name of the file or folder contradicts the record.
        misnamed: bool,
    },
    Unreadable(Problem),
}

/// The tools of a pack with their signatures.
pub(crate) struct Catalog<'a> {
    tools: HashMap<&'a str, (&'a ToolSpec, String)>,
}

impl<'a> Catalog<'a> {
    pub(crate) fn new(tools: &'a [ToolSpec]) -> Self {
        Self { tools: tools.iter().map(|tool| (tool.name.as_str(), (tool, signature(tool)))).collect() }
    }

    pub(crate) fn has(&self, tool: &str) -> bool {
        self.tools.contains_key(tool)
    }
}

/// Reads all files and passes their records to `take`.
///
/// If two records have the same key, the first one counts. Therefore the kinds of files are read
/// one after another, and files of one tool and key are read in order. Other files of a kind are
/// read in any order. Progress counts the files that were started.
pub(super) fn read_all(
    units: &[Unit],
    catalog: &Catalog<'_>,
    watch: Watch<'_>,
    mut take: impl FnMut(RecordLine) -> Result<()>,
) -> Result<()> {
    let started = AtomicUsize::new(0);
    for of_kind in units.chunk_by(|a, b| discriminant(&a.kind) == discriminant(&b.kind)) {
        read_together(of_kind, catalog, &started, |record| {
            if watch.cancel.is_cancelled() {
                return Err(Error::Cancelled);
            }
            take(record?)?;
            (watch.progress)(started.load(Ordering::Relaxed) as u64, units.len() as u64);
            Ok(())
        })?;
    }
    Ok(())
}

/// Reads files of one kind on several threads.
fn read_together(
    units: &[Unit],
    catalog: &Catalog<'_>,
    started: &AtomicUsize,
    mut take: impl FnMut(Result<RecordLine>) -> Result<()>,
) -> Result<()> {
    let workers = std::thread::available_parallelism().map_or(1, usize::from).clamp(1, 4);
    let by_name = Mutex::new(units.chunk_by(|a, b| a.kind == b.kind));
    let next = || by_name.lock().unwrap_or_else(PoisonError::into_inner).next();
    std::thread::scope(|scope| {
        let (sender, receiver) = sync_channel::<Result<RecordLine>>(64);
        for _ in 0..workers {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || {
                while let Some(of_name) = next() {
                    for unit in of_name {
                        started.fetch_add(1, Ordering::Relaxed);
                        // A closed channel means that writing failed, so reading stops.
                        if read_unit(unit, catalog, &sender).is_none() {
                            return;
                        }
                    }
                }
            });
        }
        drop(sender);
        receiver.into_iter().try_for_each(&mut take)
    })
}

fn read_unit(unit: &Unit, catalog: &Catalog<'_>, sender: &SyncSender<Result<RecordLine>>) -> Option<()> {
    let failed = |error| Err(Error::io("read", &unit.path, &error));
    match &unit.kind {
        UnitKind::Lines { tool } => {
            let mut file = match fs::File::open(&unit.path) {
                Ok(file) => BufReader::with_capacity(1 << 16, file),
                Err(error) => return sender.send(failed(error)).ok(),
            };
            let mut line = Vec::new();
            for number in 1.. {
                line.clear();
                match file.by_ref().take(FILE_BYTES + 1).read_until(b'\n', &mut line) {
                    Ok(0) => break,
                    // The beginning of the next line is unknown.
                    Ok(_) if line.len() as u64 > FILE_BYTES => {
                        let problem = RecordLine::Unreadable(Fault::Unreadable.rejected(too_large()));
                        let place = format!("{} line {number}", unit.shown);
                        return sender.send(Ok(problem.named(place))).ok();
                    }
                    Ok(_) if line.trim_ascii().is_empty() => {}
                    Ok(_) => {
                        let line = line.strip_suffix(b"\n").unwrap_or(&line);
                        let record_line = record(line, Some(tool), None, catalog);
                        let place = format!("{} line {number}", unit.shown);
                        sender.send(Ok(record_line.named(place))).ok()?;
                    }
                    Err(error) => return sender.send(failed(error)).ok(),
                }
            }
            Some(())
        }
        UnitKind::File { tool, key } | UnitKind::Legacy { tool, key } => {
            let record_line = match fs::metadata(&unit.path) {
                Ok(meta) if meta.len() > FILE_BYTES => {
                    RecordLine::Unreadable(Fault::Unreadable.rejected(too_large()))
                }
                _ => match fs::read(&unit.path) {
                    Ok(content) => record(&content, tool.as_deref(), Some(key), catalog),
                    Err(error) => return sender.send(failed(error)).ok(),
                },
            };
            sender.send(Ok(record_line.named(unit.shown.clone()))).ok()
        }
    }
}

impl RecordLine {
    fn named(self, place: String) -> Self {
        match self {
            RecordLine::Record { row, misnamed, .. } => RecordLine::Record { row, misnamed, shown: place },
            RecordLine::Unreadable(problem) => RecordLine::Unreadable(problem.in_file(place)),
        }
    }
}

/// Reads one record. The names of its folder and file take precedence over the fields of the
/// record, because the published runner finds a record by these names.
fn record(content: &[u8], folder: Option<&str>, file_key: Option<&str>, catalog: &Catalog<'_>) -> RecordLine {
    let unreadable = |why: Sentence| RecordLine::Unreadable(Fault::Unreadable.rejected(why));
    let content = content.strip_prefix("\u{feff}".as_bytes()).unwrap_or(content);
    let read = serde_json::from_slice(content);
    let python = python::read_otherwise(content, read.is_err());
    let read = python.as_ref().map_or(read, |python| Ok(python.to_value(&python::joined)));
    let mut fields = match read {
        Ok(Value::Object(fields)) => fields,
        Ok(_) => return unreadable(say!("is not an object")),
        Err(error) => return unreadable(say!("is not JSON: {error}")),
    };
    let text = |fields: &Map<String, Value>, field: &str| {
        fields.get(field).and_then(Value::as_str).map(str::to_owned)
    };
    let (stated_tool, stated_key) = (text(&fields, "tool"), text(&fields, "key"));
    let Some(tool) = folder.map(str::to_owned).or(stated_tool.clone()) else {
        return unreadable(say!("names no tool"));
    };
    let input_params = fields.shift_remove("input_params").filter(Value::is_object);
    let raw_args = fields.shift_remove("raw_args").filter(Value::is_object);
    let Some(params) = input_params.as_ref().or(raw_args.as_ref()).and_then(Value::as_object) else {
        return unreadable(say!("has no arguments"));
    };
    let Some(mut data) = fields.shift_remove("data") else {
        return unreadable(say!("has no data"));
    };
    // Arguments are compared by the values of their numbers, but an answer keeps the digits of its
    // numbers.
    if let Some(PyValue::Dict(mut read)) = python
        && let Some(answer) = read.shift_remove("data")
    {
        data = answer.with_digits_as_text().to_value(&python::joined);
    }
    let (args, computed) = arguments(&tool, params, catalog);
    let key = file_key.map(str::to_owned).or_else(|| stated_key.clone()).or_else(|| computed.clone());
    let Some(key) = key else {
        return unreadable(say!("has no key"));
    };
    let standing = match &computed {
        None => Standing::Orphan,
        Some(computed) if *computed == key => Standing::Current,
        Some(_) => Standing::Stale,
    };
    redact::redact(&mut data);
    let recorded = data.to_string();
    let (data, original) =
        if sanitize(&tool, &mut data) { (data.to_string(), Some(recorded)) } else { (recorded, None) };
    let misnamed =
        stated_key.is_some_and(|stated| stated != key) || stated_tool.is_some_and(|stated| stated != tool);
    let params_text =
        |params: Option<Value>| params.map_or_else(|| "{}".to_owned(), |params| params.to_string());
    let mut row = RecordRow {
        args: args.canonical(),
        published_key: key,
        standing,
        sha256: String::new(),
        created_at: text(&fields, "created_at").unwrap_or_default(),
        input_params: params_text(input_params),
        raw_args: params_text(raw_args),
        original,
        data,
        tool,
    };
    row.sha256 = fingerprint(&row);
    RecordLine::Record { row, shown: String::new(), misnamed }
}

/// Adapts a record of another catalog to the given one. The record's lookup arguments may change,
/// and the record may become stale.
pub(crate) fn restated(mut row: RecordRow, catalog: &Catalog<'_>) -> RecordRow {
    // A record without arguments after defaults is identified by the arguments that the model gave.
    let parse = |text: &str| serde_json::from_str::<Map<String, Value>>(text).unwrap_or_default();
    let params = match parse(&row.input_params) {
        params if params.is_empty() => parse(&row.raw_args),
        params => params,
    };
    let (args, computed) = arguments(&row.tool, &params, catalog);
    row.args = args.canonical();
    row.standing = match computed {
        None => Standing::Orphan,
        Some(computed) if computed == row.published_key => Standing::Current,
        Some(_) => Standing::Stale,
    };
    row.sha256 = fingerprint(&row);
    row
}

/// Arguments under which a recorded call is looked up.
pub(crate) fn lookup_args(tool: &str, args: &Map<String, Value>, catalog: &Catalog<'_>) -> NormalizedArgs {
    arguments(tool, args, catalog).0
}

/// Arguments under which a call is looked up, and its key in the current catalog. There is no key
/// when the catalog lacks the tool.
pub(crate) fn arguments(
    tool: &str,
    params: &Map<String, Value>,
    catalog: &Catalog<'_>,
) -> (NormalizedArgs, Option<String>) {
    match catalog.tools.get(tool) {
        None => (NormalizedArgs::from_record(params), None),
        Some((spec, signature)) => {
            let args = args::normalize(spec, &as_texts(spec, params));
            let key = published_key(tool, signature, &args);
            (args, Some(key))
        }
    }
}

/// Converts numbers and booleans to texts, as Python's `str()` does, where the current schema
/// requires a text (`docs/spec/tools.md` §3).
///
/// Only old records have such arguments: their calls were made under an earlier schema. Calls today
/// are validated.
fn as_texts(spec: &ToolSpec, params: &Map<String, Value>) -> Map<String, Value> {
    let mut params = params.clone();
    for (name, schema) in spec.properties() {
        if schema.get("type").and_then(Value::as_str) != Some("string") {
            continue;
        }
        if let Some(value) = params.get_mut(name) {
            match value {
                Value::Number(number) => *value = Value::String(number_repr(number)),
                Value::Bool(truth) => *value = Value::from(if *truth { "True" } else { "False" }),
                _ => {}
            }
        }
    }
    params
}

/// Hash of all fields of a record.
pub(crate) fn fingerprint(row: &RecordRow) -> String {
    let mut hash = Sha256::new();
    let original = row.original.as_deref().unwrap_or_default();
    let parts = [
        &row.tool,
        &row.args,
        &row.published_key,
        &row.created_at,
        &row.input_params,
        &row.raw_args,
        original,
        &row.data,
    ];
    for part in parts {
        hash.update(part.as_bytes());
        // JSON never contains this byte, so the parts cannot run into each other.
        hash.update([0]);
    }
    hex::encode(hash.finalize())
}

//! Tasks in Parquet, as Hugging Face tools write datasets: each row has a text and a list of texts.
//!
//! Other columns are not read. The format is read by the `parquet` crate of Apache Arrow, without
//! Arrow: its pages, encodings and compression are too much to implement for a benchmark.

use crate::error::{Error, Result};
use ::parquet::errors::ParquetError;
use ::parquet::file::reader::{FileReader as _, SerializedFileReader};
use ::parquet::record::{Field, Row};
use ::parquet::schema::types::Type;
use koab_core::finding::{Fault, Problem};
use koab_core::say;
use serde_json::{Map, Value};
use std::fs::File;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

/// Columns that describe a task.
const COLUMNS: [&str; 2] = ["instruction", "tools"];

/// Maximum size of a file in bytes, and maximum number of its rows. The published files have 30
/// rows in 5 kB; a much larger file is not a list of tasks.
const MAX_BYTES: u64 = 64 << 20;
const ROWS: i64 = 100_000;

/// Rows of a file. A file that cannot be read is added to `problems` and left out.
pub(super) fn rows(path: &Path, file: &str, problems: &mut Vec<Problem>) -> Result<Vec<Map<String, Value>>> {
    let opened = File::open(path).map_err(|error| Error::io("read", path, &error))?;
    let size = opened.metadata().map_err(|error| Error::io("read", path, &error))?.len();
    if size > MAX_BYTES {
        problems
            .push(Fault::Unreadable.rejected(say!("is larger than {} MB", MAX_BYTES >> 20)).in_file(file));
        return Ok(Vec::new());
    }
    // The crate checks its input, but a missing check must not let a foreign file end the program.
    let read = catch_unwind(AssertUnwindSafe(|| read(opened)));
    let why = match read {
        Ok(Ok(rows)) => return Ok(rows),
        Ok(Err(Broken::Column(problem))) => problem,
        Ok(Err(Broken::Unreadable(error))) => {
            Fault::Unreadable.rejected(say!("is not a Parquet file that can be read ({error})"))
        }
        Err(_) => {
            Fault::Unreadable.rejected(say!("is not a Parquet file that can be read (its pages are damaged)"))
        }
    };
    problems.push(why.in_file(file));
    Ok(Vec::new())
}

enum Broken {
    Unreadable(ParquetError),
    Column(Problem),
}

impl From<ParquetError> for Broken {
    fn from(error: ParquetError) -> Self {
        Self::Unreadable(error)
    }
}

fn read(file: File) -> std::result::Result<Vec<Map<String, Value>>, Broken> {
    let reader = SerializedFileReader::new(file)?;
    let facts = reader.metadata().file_metadata();
    if facts.num_rows() > ROWS {
        let why = say!("has more than {ROWS} rows, which is not a list of tasks");
        return Err(Broken::Column(Fault::Unreadable.rejected(why)));
    }
    let schema = facts.schema();
    for name in COLUMNS {
        if !schema.get_fields().iter().any(|field| field.name() == name) {
            return Err(Broken::Column(Fault::Missing.rejected(say!("has no such column")).at(name)));
        }
    }
    let columns = schema.get_fields().iter().filter(|field| COLUMNS.contains(&field.name()));
    let columns = Type::group_type_builder(schema.name()).with_fields(columns.cloned().collect()).build()?;
    let mut rows = Vec::new();
    for row in reader.get_row_iter(Some(columns))? {
        rows.push(object(row?));
    }
    Ok(rows)
}

fn object(row: Row) -> Map<String, Value> {
    row.into_columns().into_iter().map(|(name, field)| (name, value(&field))).collect()
}

/// Converts texts and lists of texts. Other types become null; the caller reports them.
fn value(field: &Field) -> Value {
    match field {
        Field::Str(text) => Value::String(text.clone()),
        Field::ListInternal(list) => Value::Array(list.elements().iter().map(value).collect()),
        _ => Value::Null,
    }
}

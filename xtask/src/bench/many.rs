//! Benchmark of millions of recorded responses: time and memory of look-ups, and size of the
//! database.
//!
//! The records are those of the starter pack, each repeated with other arguments and other numbers
//! in its answer.

use std::fs::{self, File};
use std::io::{BufRead as _, BufReader, BufWriter, Write as _};
use std::path::Path;

use anyhow::{Context as _, bail};
use serde_json::Value;

use super::command::{Bench, koab};
use super::measure::measure;
use super::table::{Row, Target};

/// Number of records in the generated pack. If the disk has no room for them and their import, the
/// rows are unmeasured.
const RECORDS: u64 = 5_000_000;
/// Environment variable with a smaller number of records, for trying the benchmark itself.
const RECORDS_VARIABLE: &str = "KOAB_BENCH_RECORDS";
/// Names of arguments that accept any text and so allow any number of different calls.
const TEXT_ARGUMENTS: [&str; 3] = ["query", "keyword", "address"];
/// Numbers of look-ups in the two measured processes. If memory were kept for each look-up, the two
/// processes would need different amounts.
const LOOK_UPS: [u32; 2] = [1_000, 100_000];

/// Imports the records and looks some of them up.
pub(super) fn records(bench: &Bench<'_>) -> anyhow::Result<Vec<Row>> {
    let count = match std::env::var(RECORDS_VARIABLE) {
        Ok(count) => count.parse().with_context(|| format!("{RECORDS_VARIABLE} is not a number: {count}"))?,
        Err(_) => RECORDS,
    };
    let scratch = bench.checkout.scratch("bench-many")?;
    let pack = scratch.path().join("pack");
    let home = scratch.path().join("home");
    let bytes = generate(&bench.checkout.root, &pack, count)?;
    let import = measure(&mut koab(bench, &home, &["pack", "import", &pack.display().to_string(), "--use"]))?;
    fs::remove_dir_all(&pack)?;

    let name = |what: &str| format!("{:.1} million records, {what}", count as f64 / 1e6);
    let database = fs::metadata(home.join("koab.sqlite"))?.len();
    let mut rows = vec![
        Row::new(name("as generated"), bytes as f64 / 1e9, "GB"),
        Row::new(name("in the database"), database as f64 / 1e9, "GB"),
        Row::new(name("import"), import.wall.as_secs_f64(), "s"),
    ];
    let mib = |name: String, memory: Result<f64, String>| match memory {
        Ok(mib) => Row::new(name, mib, "MiB"),
        Err(reason) => Row::unmeasured(name, reason),
    };
    rows.push(mib(name("peak memory of the import"), import.peak_rss_mib()));
    let mut peaks = Vec::new();
    for look_ups in LOOK_UPS {
        let calls = look_ups.to_string();
        let command = || koab(bench, &home, &["cache", "time", "--json", "--calls", &calls]);
        let run = measure(&mut command())?;
        peaks.push([
            ("own memory", run.own_mib()),
            ("resident, pages of the file included", run.peak_rss_mib()),
        ]);
        // A second call, because the output of a measured one is discarded.
        let output = command().output().context("koab cache time")?;
        let times: Value = serde_json::from_slice(&output.stdout).context("its answer is not JSON")?;
        let of = |field: &str| times[field].as_f64().with_context(|| format!("its answer has no `{field}`"));
        let name = |what: &str| name(&format!("{look_ups} look-ups, {what}"));
        rows.push(Row::new(name("p50"), of("p50_us")?, "µs"));
        rows.push(Row::new(name("p99"), of("p99_us")?, "µs").target(Target::AtMost(1000.0)));
    }
    for (look_ups, peaks) in LOOK_UPS.into_iter().zip(peaks) {
        for (what, peak) in peaks {
            rows.push(mib(name(&format!("{look_ups} look-ups, peak of {what}")), peak));
        }
    }
    Ok(rows)
}

/// Writes the generated pack and returns the size of its records in bytes.
fn generate(root: &Path, pack: &Path, count: u64) -> anyhow::Result<u64> {
    copy(&root.join("tasks"), &pack.join("tasks"))?;
    // The manifest contains the hashes of the starter pack, so they are removed.
    let manifest = pack.join("tasks/pack.json");
    let mut description: Value = serde_json::from_slice(&fs::read(&manifest)?)?;
    description["name"] = "many".into();
    description["sha256"] = Value::Object(serde_json::Map::new());
    description["counts"]["records"] = count.into();
    fs::write(&manifest, description.to_string())?;

    let mut sources = Vec::new();
    for entry in fs::read_dir(root.join("cache"))? {
        let path = entry?.path();
        for line in BufReader::new(File::open(&path)?).lines() {
            let record: Value = serde_json::from_str(&line?)?;
            let free = TEXT_ARGUMENTS.into_iter().find(|name| record["input_params"][name].is_string());
            if let Some(free) = free {
                let file = path.file_name().context("a file has a name")?.to_owned();
                sources.push((file, record, free));
            }
        }
    }
    if sources.is_empty() {
        bail!("the starter pack has no call with a text");
    }
    let each = count.div_ceil(sources.len() as u64);
    fs::create_dir_all(pack.join("cache"))?;
    let (mut bytes, mut made) = (0, 0);
    for (file, source, free) in sources {
        let path = pack.join("cache").join(file);
        let mut out = BufWriter::new(File::options().append(true).create(true).open(path)?);
        for _ in 0..each.min(count - made) {
            made += 1;
            let mut record = source.clone();
            for taken in ["key", "sha256"] {
                record.as_object_mut().and_then(|fields| fields.remove(taken));
            }
            for arguments in ["input_params", "raw_args"] {
                if record[arguments].is_object() {
                    let text = record[arguments][free].as_str().unwrap_or_default();
                    record[arguments][free] = format!("{text} {made}").into();
                }
            }
            other_numbers(&mut record["data"], &mut made.wrapping_mul(0x9E37_79B9_7F4A_7C15));
            let line = format!("{record}\n");
            bytes += line.len() as u64;
            out.write_all(line.as_bytes())?;
        }
        out.flush()?;
    }
    Ok(bytes)
}

/// Changes every number and every digit of an answer, so that no two answers are equal.
fn other_numbers(value: &mut Value, state: &mut u64) {
    let mut next = || {
        *state ^= *state << 13;
        *state ^= *state >> 7;
        *state ^= *state << 17;
        *state
    };
    match value {
        Value::Number(number) => *number = (next() % 1_000_000).into(),
        Value::String(text) if text.contains(|letter: char| letter.is_ascii_digit()) => {
            let digit = |letter: char| match letter {
                '0'..='9' => char::from(b'0' + u8::try_from(next() % 10).unwrap_or_default()),
                other => other,
            };
            *text = text.chars().map(digit).collect();
        }
        Value::Array(items) => items.iter_mut().for_each(|item| other_numbers(item, state)),
        Value::Object(fields) => fields.values_mut().for_each(|field| other_numbers(field, state)),
        _ => {}
    }
}

fn copy(from: &Path, to: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let path = entry?.path();
        let target = to.join(path.file_name().context("a file has a name")?);
        if path.is_dir() {
            copy(&path, &target)?;
        } else {
            fs::copy(&path, &target)?;
        }
    }
    Ok(())
}

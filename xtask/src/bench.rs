//! `cargo xtask bench`: speed and memory of the release build, measured and compared with targets.
//!
//! A benchmark is an entry in `bench/entries.rs`. A value that cannot be measured is shown with the
//! reason, never as 0.

mod agents;
mod benchmarks;
mod cluster;
mod command;
mod compare;
mod entries;
mod figures;
mod find;
mod gateway;
mod histories;
mod kills;
mod local_models;
mod many;
mod measure;
mod replay;
mod scale;
mod scenarios;
mod server;
mod statistics;
mod table;
mod ui;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, bail};

use self::command::Bench;
use crate::checkout::Checkout;
use crate::setup::{self, Need};
use crate::{binaries, out};

/// Runs all benchmarks, or those named with `--only`, and prints the rows as a table.
///
/// # Errors
/// When an argument is unknown or the release build fails.
pub(crate) fn run(checkout: &Checkout, arguments: &[String]) -> anyhow::Result<ExitCode> {
    let mut check = false;
    let mut only = None;
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        match argument.as_str() {
            "--check" => check = true,
            "--only" => {
                only = Some(rest.next().context("--only takes names of benchmarks, such as gate,across")?)
            }
            other => bail!("no such option: {other}; `cargo xtask help` lists them"),
        }
    }
    let selected: Vec<&str> = only.map(|names| names.split(',').collect()).unwrap_or_default();
    let names: Vec<&str> = entries::ENTRIES.iter().map(|entry| entry.name).collect();
    if let Some(name) = selected.iter().find(|name| !names.contains(name)) {
        bail!("no such benchmark: {name}; there are {}", names.join(", "));
    }
    let entries: Vec<_> = entries::ENTRIES
        .iter()
        .filter(|entry| selected.is_empty() || selected.contains(&entry.name))
        .collect();

    if let Some(sentence) = setup::ensure(checkout, &[Need::ModelBuild]).first_of(&[Need::ModelBuild]) {
        bail!("{sentence}");
    }
    // Some benchmarks have programs of their own and do not need the product, whose build takes
    // long.
    let standalone = [&statistics::NAMES[..], &[benchmarks::NAME, histories::NAME]].concat();
    let needs_koab = entries.iter().any(|entry| !standalone.contains(&entry.name));
    let bench = Bench {
        checkout,
        koab: if needs_koab { binaries::build_release_koab(checkout)? } else { PathBuf::new() },
    };
    let mut rows = Vec::new();
    for entry in entries {
        out::line(format_args!("measuring {}", entry.name));
        match (entry.measure)(&bench) {
            Ok(measured) => rows.extend(measured),
            Err(error) => rows.push(table::Row::unmeasured(entry.name, format!("{error:#}"))),
        }
    }
    table::render(&rows).lines().for_each(out::line);
    let over = rows.iter().any(table::Row::misses_target);
    Ok(if check && over { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

//! The three published texts and the combined summary, byte for byte.

use crate::parity_support::{json, report, runs, shared, text};
use koab_core::python::{Dumps, dumps};
use koab_core::score::MetricSet;
use koab_report::{CombinedNames, combine, to_csv, to_json, to_markdown};
use serde_json::{Value, json};
use std::path::Path;

/// The published order of these lists is that of a hash set in the process that wrote them.
const UNORDERED: [&str; 5] =
    ["required_tools", "covered_tools", "missing_tools", "fallback_candidates", "fallback_tools"];

fn in_one_order(value: &mut Value) {
    match value {
        Value::Object(map) => {
            for (key, inner) in map.iter_mut() {
                match inner {
                    Value::Array(items) if UNORDERED.contains(&key.as_str()) => {
                        items.sort_by_key(Value::to_string);
                    }
                    Value::Object(sources) if key == "source_eprs" => sources.sort_keys(),
                    inner => in_one_order(inner),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(in_one_order),
        _ => {}
    }
}

/// How many lists and objects of two documents have the same members in another order; all else has to be the same.
fn reordered_lists(found: &Value, wanted: &Value) -> usize {
    match (found, wanted) {
        (Value::Object(found), Value::Object(wanted)) => {
            let moved = usize::from(!found.keys().eq(wanted.keys()));
            let below = found.iter().map(|(key, value)| match value {
                Value::Array(_) if UNORDERED.contains(&key.as_str()) => usize::from(*value != wanted[key]),
                value => reordered_lists(value, &wanted[key]),
            });
            moved + below.sum::<usize>()
        }
        (Value::Array(found), Value::Array(wanted)) => {
            let pairs = found.iter().zip(wanted);
            pairs.map(|(found, wanted)| reordered_lists(found, wanted)).sum()
        }
        _ => 0,
    }
}

fn ordered(mut value: Value) -> String {
    in_one_order(&mut value);
    dumps(&value, Dumps { indent: Some(2), ..Dumps::default() })
}

fn assert_same_text(found: &str, wanted: &str, what: &str) {
    if found != wanted {
        let (line, (found, wanted)) =
            found.lines().zip(wanted.lines()).enumerate().find(|(_, (a, b))| a != b).unwrap_or_default();
        panic!("{what} differs in line {}:\n  {found}\n  {wanted}", line + 1);
    }
}

fn evaluation_date(folder: &Path) -> String {
    let published = json(&folder.join("evaluation_report.json"));
    published["summary"]["evaluation_date"].as_str().expect("a date").to_owned()
}

#[test]
fn reports_are_byte_identical_but_for_the_order_of_hash_sets_in_json() {
    let Some(parity) = shared("parity") else { return };
    let (mut identical, mut reordered, mut texts, mut lists) = (0, 0, 0, 0);
    for run in runs(&parity) {
        let folder = parity.join("reports").join(format!("{}_20251219", run.model));
        let report = report(&run, MetricSet::Head, &evaluation_date(&folder));
        let published = text(&folder.join("evaluation_report.json"));
        let written = to_json(&report);
        // The writer itself is exact: the published report, read and written again, keeps every byte.
        let reread: Value = serde_json::from_str(&published).unwrap();
        assert_same_text(
            &dumps(&reread, Dumps { indent: Some(2), ..Dumps::default() }),
            &published,
            &format!("{} written again", run.model),
        );
        if written == published {
            identical += 1;
        } else {
            reordered += 1;
        }
        let (written, published): (Value, Value) = (serde_json::from_str(&written).unwrap(), reread);
        lists += reordered_lists(&written, &published);
        assert_same_text(&ordered(written), &ordered(published), &format!("{} JSON", run.model));
        assert_same_text(
            &to_csv(&report),
            &text(&folder.join("evaluation_summary.csv")),
            &format!("{} CSV", run.model),
        );
        assert_same_text(
            &to_markdown(&report),
            &text(&folder.join("evaluation_report.md")),
            &format!("{} Markdown", run.model),
        );
        texts += 2;
    }
    println!("{texts} CSV and Markdown reports byte-identical");
    println!("{identical} JSON reports byte-identical, {reordered} up to the order of hash sets");
    assert_eq!((texts, identical, reordered), (16, 0, 8));
    // So many lists and objects stand in another order than in the published files, and nothing else differs.
    assert_eq!(lists, 160);
}

#[test]
fn reports_with_dropped_metrics_are_byte_identical() {
    let Some(parity) = shared("parity") else { return };
    let mut texts = 0;
    for run in runs(&parity) {
        let name = format!("{}_20251219", run.model);
        let folder = parity.join("reports_with_removed_metrics").join(&name);
        let report = report(&run, MetricSet::All, &evaluation_date(&parity.join("reports").join(&name)));
        assert_same_text(
            &to_csv(&report),
            &text(&folder.join("evaluation_summary.csv")),
            &format!("{} CSV", run.model),
        );
        let markdown = std::fs::read_dir(&folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .find(|path| path.extension().is_some_and(|extension| extension == "md"))
            .unwrap();
        assert_same_text(&to_markdown(&report), &text(&markdown), &format!("{} Markdown", run.model));
        texts += 2;
    }
    println!("{texts} reports with dropped metrics byte-identical");
    assert_eq!(texts, 16);
}

#[test]
fn the_combined_summary_is_byte_identical() {
    let Some(parity) = shared("parity") else { return };
    let runs = runs(&parity);
    let combined = |set, names| {
        let summaries: Vec<(String, String)> = runs
            .iter()
            .map(|run| (format!("{}_20251219", run.model), to_csv(&report(run, set, ""))))
            .collect();
        let summaries: Vec<(&str, &str)> =
            summaries.iter().map(|(folder, text)| (folder.as_str(), text.as_str())).collect();
        combine(&summaries, names).unwrap()
    };
    let published = combined(MetricSet::Head, CombinedNames::Published);
    assert_same_text(&published, &text(&parity.join("combined_expected.csv")), "the combined summary");
    let all = combined(MetricSet::All, CombinedNames::Published);
    let header: Vec<&str> = all.lines().next().unwrap().split(',').collect();
    assert_eq!(header.len(), 91);
    assert!(header.contains(&"L3_ProvAcc") && header.contains(&"L6_ReuseRage"));
    // The published file's names were edited by hand; the plain names give its rows.
    let plain = combined(MetricSet::Head, CombinedNames::Plain);
    let names = json(&parity.join("published_names.json"));
    let wanted = text(&parity.join("combined_published_rows.csv"));
    let rows: Vec<&str> = wanted.trim_start_matches('\u{feff}').lines().map(str::trim_end).collect();
    let mut equal = 0;
    for (row, run) in plain.lines().skip(1).zip(&runs) {
        assert!(rows.contains(&row), "{row}");
        let named = row.split(',').take(3).collect::<Vec<_>>();
        let name = |key: &str| names[&run.model][key].as_str().unwrap().to_owned();
        assert_eq!(json!(named), json!([name("Model"), name("Vendor"), name("Model Type")]));
        equal += 1;
    }
    println!("the combined summary of {equal} models byte-identical");
}

//! Implements `koab report references`, and prints the ranks of a report among the reference set:
//! published reports that the user imported for comparison.

use super::trash;
use crate::CommandEnd;
use crate::output::{Columns, Output, or_dash};
use crate::render::report::interval;
use koab_api::shown;
use koab_api::{Api, ReferenceStanding, StandingMeasure, WireError};
use koab_core::sentence::Language;
use koab_core::{say, text};
use serde_json::json;

/// Lists the reference set. With `remove`, the set is moved to the trash; with `restore`, it is
/// taken back.
pub(crate) fn references(
    api: &Api,
    (remove, yes, restore): (bool, bool, bool),
    output: Output,
) -> Result<CommandEnd, WireError> {
    let lang = output.lang;
    if remove {
        if !yes {
            return Err(WireError::bad_request(say!(
                "this moves every report of the reference set to the trash; confirm with --yes"
            )));
        }
        let removed = api.runs.library.references_remove()?;
        removed.iter().for_each(|deleted| trash::say_unremoved(deleted, output));
        let deleted: Vec<String> = removed.into_iter().map(|deleted| deleted.key).collect();
        output.result(&json!({ "deleted": deleted }), || lang.say(&say!("{deleted} reports of the reference set are in the trash; --restore brings them back within 30 days", deleted = deleted.len())));
        return Ok(CommandEnd::Done);
    }
    if restore {
        let restored = api.runs.library.references_restore()?;
        output.result(&json!({ "restored": restored }), || {
            format!("{}: {}", lang.text(text!("brought back")), restored.join(", "))
        });
        return Ok(CommandEnd::Done);
    }
    let set = api.runs.library.references()?;
    output.result(&set, || {
        if set.reports.is_empty() {
            return lang
                .text(text!(
                    "there is no reference set; bring one with `koab report import PATH --reference`"
                ))
                .to_owned();
        }
        let table = Columns::new(set.reports.iter(), lang)
            .column(text!("model"), |report| &report.model)
            .column(text!("run"), |report| &report.date)
            .id(text!("report"), |report| &report.id)
            .prose(text!("source"), |report| &report.source);

        format!("{}{}: {}\n", table.text(), lang.text(text!("reports")), set.reports.len())
    });
    Ok(CommandEnd::Done)
}

/// The given reports, followed by those of the reference set.
pub(crate) fn with_references(api: &Api, mut ids: Vec<String>) -> Result<Vec<String>, WireError> {
    let set = api.runs.library.references()?;
    if set.reports.is_empty() {
        return Err(WireError::not_found(say!(
            "there is no reference set; bring one with `koab report import PATH --reference`"
        )));
    }
    for report in set.reports {
        if !ids.contains(&report.id) {
            ids.push(report.id);
        }
    }
    Ok(ids)
}

/// Table of a report's ranks among the reference set; empty without a reference set.
pub(crate) fn among(standing: &ReferenceStanding, lang: Language) -> String {
    if standing.references == 0 {
        return String::new();
    }
    let mut text = String::new();
    for measure in &standing.measures {
        text.push_str(&ranking(measure, lang));
    }
    for caveat in &standing.caveats {
        text.push_str(&format!("! {}\n", lang.say(caveat)));
    }
    for out in &standing.left_out {
        text.push_str(&format!("  {}: {}\n", out.model, lang.say(&out.reason)));
    }
    if text.is_empty() {
        return text;
    }
    format!("\n{}\n{text}", lang.text(text!("among the reference set")))
}

fn ranking(measure: &StandingMeasure, lang: Language) -> String {
    let place = match measure.rank {
        Some(rank) => lang.say(&say!("place {rank} of {of}", of = measure.of)),
        None => or_dash(measure.reason.as_ref().map(|reason| lang.say(reason))),
    };
    let name = shown::composite(&measure.measure, lang);
    let table = Columns::new(measure.points.iter(), lang)
        .column("", |point| if point.own { ">" } else { " " })
        .id(text!("model"), |point| &point.model)
        .column(name, |point| shown::score(point.figure.value()))
        .column(text!("95 % interval"), |point| interval(Some(&point.range)));

    let reading = measure.reading.as_ref().map(|reading| format!("  {}\n", lang.say(reading)));
    format!("{name}: {place}\n{}{}", reading.unwrap_or_default(), table.text())
}

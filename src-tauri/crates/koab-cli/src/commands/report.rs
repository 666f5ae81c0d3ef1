//! Implements `koab report`.

use super::{names, references, repetitions, report_across, report_compare, report_pairs, trash};
use crate::CommandEnd;
use crate::args::report::{CompareArgs, ReportCommand};
use crate::output::{Columns, Output};
use crate::render::{comparability, report};
use koab_api::{
    AcrossRequest, Api, Combined, CompositeFigure, MatrixRequest, MetricId, PairsRequest, ReportFormat,
    ReportView, WantedFigure, WireError, shown,
};
use koab_core::level::Level;
use koab_core::score::composite::CompositeVariant;
use koab_core::sentence::{Sentence, ToSentence};
use koab_core::{say, text};
use serde_json::json;
use std::path::{Path, PathBuf};

pub(crate) async fn report(
    api: &Api,
    command: ReportCommand,
    output: Output,
) -> Result<CommandEnd, WireError> {
    match command {
        ReportCommand::List => list(api, output)?,
        ReportCommand::Show { of, problems } => show(api, &of.report, problems, output)?,
        ReportCommand::Repetitions(of) => {
            let id = names::report_id(api, &of.report, output)?;
            let repeated = api.runs.library.report_repetitions(&id)?;
            output.result(&repeated, || repetitions::text(&repeated, output.lang));
        }
        ReportCommand::Compare(args) => compare_named(api, args, output)?,
        ReportCommand::Matrix { of, metric, level, scorer } => {
            let view = api.compare.compare_matrix(&MatrixRequest {
                ids: ids(api, &of.reports, output)?,
                metric: Some(metric_of(&metric)?),
                level,
                scorer,
            })?;
            output.result(&view, || report_pairs::matrix(&view, output.lang));
        }
        ReportCommand::Atlas(args) => super::atlas::atlas(api, args, output)?,
        ReportCommand::Export { of, format, output: file } => export(api, &of.report, format, &file, output)?,
        ReportCommand::Delete { id, yes } => delete(api, &id, yes, output)?,
        ReportCommand::Restore { id } => {
            let id = api.runs.library.report_restore_last(&id)?;
            output.result(&json!({ "restored": id }), || {
                format!("{}: {id}", output.lang.text(text!("restored")))
            });
        }
        ReportCommand::References { remove, yes, restore } => {
            return references::references(api, (remove, yes, restore), output);
        }
        ReportCommand::Import(args) => return super::import::import(api, args, output).await,
        ReportCommand::Combine { dir, report, with_reference, output: file, names, order } => {
            let ids = ids(api, &report, output)?;
            let combined = if ids.is_empty() {
                let reports = dir.unwrap_or_else(|| api.workspace.home().reports());
                api.runs.library.report_combine(&reports, &file, names, order)?
            } else {
                let ids = if with_reference { references::with_references(api, ids)? } else { ids };
                api.runs.library.report_combine_some(&ids, &file, names, order)?
            };
            print_combined(&combined, output);
        }
    }
    Ok(CommandEnd::Done)
}

fn list(api: &Api, output: Output) -> Result<(), WireError> {
    let lang = output.lang;
    let reports = api.runs.library.reports_list()?;
    output.result(&reports, || {
        if reports.is_empty() {
            return lang.text(text!("no reports yet; make one with `koab score`")).to_owned();
        }
        // All rows use one composite variant, otherwise the column would not be comparable.
        let variant = CompositeVariant::SHOWN.name();
        let title = lang.text(CompositeVariant::SHOWN.title());
        let composite = |report: &ReportView| -> Option<CompositeFigure> {
            let mut rows = report.composites.iter();
            rows.find(|row| row.variant == variant).cloned()
        };
        // The report's name contains the model, so the model's column may be dropped.
        let table = Columns::new(&reports, lang)
            .column(text!("report"), |r| &r.id)
            .column(text!("model"), |r| &r.model)
            .column(text!("scorer"), |r| r.scorer)
            .column(title, |r| shown::score(composite(r).and_then(|row| row.figure.value())))
            .column(text!("with leaderboard"), |r| {
                let grade =
                    |judged: &koab_api::Comparability| comparability::grade(judged.leaderboard.grade, lang);
                r.comparability.as_ref().map_or(shown::NONE, grade)
            })
            .spare([1, 2])
            .text();
        let reading = reports.iter().find_map(|report| Some(composite(report)?.reading));
        let definition = lang.say(&reading.unwrap_or_default());
        let mut text = format!("{table}\n{title}: {definition}\n");
        for (id, outdated) in reports.iter().filter_map(|r| Some((&r.id, r.outdated.as_ref()?))) {
            text.push_str(&format!("! {id}: {}\n", lang.say(outdated)));
        }
        text
    });
    Ok(())
}

pub(super) fn show(api: &Api, word: &str, problems: bool, output: Output) -> Result<(), WireError> {
    let lang = output.lang;
    let view = match api.runs.library.report_show(word)? {
        Some(view) => view,
        None => {
            let id = names::report_id(api, word, output)?;
            let view = api.runs.library.report_show(&id)?;
            view.ok_or_else(|| WireError::not_found(say!("there is no report {id}; see `koab report list`")))?
        }
    };
    let mut unread = Vec::new();
    let repeated = part(repetitions::find(api, &view.id), &mut unread).flatten();
    let mut document = serde_json::to_value(&view).map_err(WireError::internal)?;
    document["repetitions"] = json!(repeated);
    let standing = part(api.runs.library.report_standing(&view.id), &mut unread);
    document["reference"] = json!(standing);
    let instructions = part(api.runs.library.instructions_of(&view.id), &mut unread);
    document["instructions"] = json!(instructions);
    output.result(&document, || {
        let mut text = report::text(&view, repeated.is_some(), problems, lang);
        text.extend(
            instructions.as_ref().and_then(|instructions| report::other_instructions(instructions, lang)),
        );
        let among = standing.as_ref().map(|standing| references::among(standing, lang));
        let text = text + &among.unwrap_or_default();
        match &repeated {
            Some(repeated) => format!("{text}\n{}", repetitions::brief(repeated, &view.id, lang)),
            None => text,
        }
    });
    for reason in unread {
        output.sentence(&lang.say(&reason));
    }
    Ok(())
}

/// Moves a report to the trash.
fn delete(api: &Api, id: &str, yes: bool, output: Output) -> Result<(), WireError> {
    api.runs.library.report_folder(id)?;
    if !yes {
        return Err(WireError::bad_request(say!(
            "this moves the report {id} to the trash; confirm with --yes"
        )));
    }
    trash::say_unremoved(&api.runs.library.report_delete(id)?, output);
    output.result(&json!({ "deleted": id }), || {
        output
            .lang
            .say(&say!("{id} is in the trash; `koab report restore {id}` brings it back within 30 days"))
    });
    Ok(())
}

/// Unwraps a part of a report. A part that cannot be read does not hide the other parts; its reason
/// is added to `unread`.
fn part<T>(part: Result<T, WireError>, unread: &mut Vec<Sentence>) -> Option<T> {
    part.map_err(|error| {
        if !unread.contains(&error.message) {
            unread.push(error.message);
        }
    })
    .ok()
}

/// Compares the reports that the arguments name.
pub(super) fn compare_named(api: &Api, args: CompareArgs, output: Output) -> Result<(), WireError> {
    let CompareArgs { of, metrics, seed, draws, with_reference, across, weights } = args;
    let ids = ids(api, &of.reports, output)?;
    let ids = if with_reference { references::with_references(api, ids)? } else { ids };
    if !across {
        return compare(api, &ids, &metrics, (seed, draws), output);
    }
    let view = api.compare.compare_across(&AcrossRequest { ids, weights, seed })?;
    output.result(&view, || report_across::text(&view, output.lang));
    Ok(())
}

/// Compares reports of one benchmark by these metrics, with this seed and number of draws.
fn compare(
    api: &Api,
    ids: &[String],
    metrics: &[String],
    (seed, draws): (Option<u64>, Option<u32>),
    output: Output,
) -> Result<(), WireError> {
    let lang = output.lang;
    api.compare.of_one_benchmark(ids)?;
    let view = api.compare.compare(ids)?;
    let groups: Vec<&Level> = view.matrix.levels.iter().map(|row| &row.level).collect();
    let metrics = figures(metrics, &groups)?;
    let ranks = api.compare.compare_ranks(ids, seed, draws)?;
    let tested = api.compare.compare_pairs(&PairsRequest {
        ids: ranks.reports.clone(),
        metrics: metrics.clone(),
        seed,
        draws,
    })?;
    let mut document = json!(view);
    document["conclusions"] = json!(tested.conclusions);
    document["tests"] = json!(tested.pairs);
    document["ranks"] = json!(ranks);
    output.result(&document, || {
        let mut text = report_compare::conclusions(&tested.conclusions, lang);
        text.push_str(&report_compare::text(&view, lang));
        text.extend(tested.pairs.iter().map(|pair| report_pairs::pair(pair, lang)));
        text.push_str(report_pairs::needs_explained(&tested.pairs, lang));
        text.push_str(&report_pairs::ranks(&ranks, &metrics, lang));
        text
    });
    Ok(())
}

/// Writes a report in a format to `file`, or to the terminal for `-`.
fn export(api: &Api, word: &str, format: ReportFormat, file: &Path, output: Output) -> Result<(), WireError> {
    let lang = output.lang;
    let id = names::report_id(api, word, output)?;
    let exported = api.runs.library.report_export(&id, format, lang.tag())?;
    if file.as_os_str() == "-" {
        output.file(&exported, &exported.text);
        return Ok(());
    }
    std::fs::write(file, &exported.text).map_err(|error| {
        let file = file.display();
        WireError::storage(say!("{file} cannot be written: {error}; choose another with -o"))
    })?;
    let mut files = vec![file.display().to_string()];
    for extra in &exported.beside {
        let path = companion_path(file, &id, &extra.name);
        std::fs::write(&path, &extra.text).map_err(|error| WireError::unwritable(&path, error))?;
        files.push(path.display().to_string());
    }
    let result = json!({
        "file": file.display().to_string(), "bytes": exported.text.len(), "beside": files[1..],
    });
    output.result(&result, || format!("{}: {}", lang.text(text!("written")), files.join(", ")));
    Ok(())
}

fn print_combined(combined: &Combined, output: Output) {
    let lang = output.lang;
    if !combined.repeated.is_empty() {
        let why = lang.text(text!("models with several reports, which the table shows under one name"));
        output.remark(&format!("{why}: {}", combined.repeated.join(", ")));
    }
    output.result(&json!(combined), || {
        format!(
            "{}: {} ({} × {})",
            lang.text(text!("written")),
            combined.file,
            combined.rows,
            combined.columns
        )
    });
}

/// Parses the values of `--metrics`: a metric (`FSM`), a level (`L3`) or a metric of a level
/// (`L3.SR`). `groups` are the known groups of other benchmarks.
fn figures(words: &[String], groups: &[&Level]) -> Result<Vec<WantedFigure>, WireError> {
    let read = |word: &String| {
        WantedFigure::parse(word, groups).map_err(|error| WireError::bad_request(error.to_sentence()))
    };
    words.iter().map(read).collect()
}

/// Parses the name of a metric, without a level.
fn metric_of(word: &str) -> Result<MetricId, WireError> {
    let figures = self::figures(&[word.to_owned()], &[])?;
    let metric = figures.iter().filter(|one| one.level.is_none()).find_map(|one| one.metric);
    metric.ok_or_else(|| {
        WireError::bad_request(say!(
            "`{word}` is not a metric: name one that says yes or no of a task, and its level with --level"
        ))
    })
}

/// Ids of the reports that the arguments name, by the report or by its run.
fn ids(api: &Api, words: &[String], output: Output) -> Result<Vec<String>, WireError> {
    words.iter().map(|word| names::report_id(api, word, output)).collect()
}

/// Path of a file saved with an exported one: `gpt-4o.csv` gets `gpt-4o.comparability.csv`. Its
/// ending is that of the proposed name after the report's id.
fn companion_path(file: &Path, id: &str, proposed: &str) -> PathBuf {
    file.with_extension(proposed.strip_prefix(id).unwrap_or(proposed).trim_start_matches('.'))
}

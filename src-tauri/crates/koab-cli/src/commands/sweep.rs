//! Implements `koab sweep`: runs every model with every setting on every pack of a sweep's file.

use super::interrupt::on_end;
use super::output_file::{try_to_write, write};
use crate::CommandEnd;
use crate::args::sweep::SweepArgs;
use crate::job_progress;
use crate::output::{Columns, Output, columns, or_dash};
use crate::progress::RunProgress;
use crate::render::ahead::ahead;
use koab_api::sweep::{SweepPlan, SweepState, SweepSummary};
use koab_api::{Api, EventSink, JobKind, WireError};
use koab_core::{say, text};
use std::sync::Arc;

pub(crate) async fn sweep(api: &Api, args: SweepArgs, output: Output) -> Result<CommandEnd, WireError> {
    let sweep = api.compare.sweep(&args.file)?;
    if args.dry_run {
        output.result(sweep.plan(), || planned(sweep.plan(), output));
        return Ok(CommandEnd::Done);
    }
    if let Some(refusal) = &sweep.plan().refusal {
        return Err(WireError::bad_request(refusal.clone()));
    }
    // Write errors must be found before anything is paid for.
    if let Some(file) = &args.markdown {
        try_to_write(file)?;
    }
    api.compare.check_askable(&sweep).await?;
    output.remark(planned(sweep.plan(), output).trim_end());
    let watch = || Arc::new(RunProgress::new(output.quiet, output.lang)) as Arc<dyn EventSink>;
    let cancel = on_end();
    let playing = api.compare.play_sweep(sweep, &watch, &cancel);
    let summary = job_progress::during(api, output, &[JobKind::ModelConversion], playing).await?;
    output.result(&summary, || text(&summary, output));
    if let Some(file) = &args.markdown
        && let Err(error) = write(file, &summary.markdown(output.lang))
    {
        // The table was paid for, so the exit code does not depend on the file.
        output.sentence(&output.lang.say(&error.message));
    }
    Ok(match summary.stopped {
        None => CommandEnd::Done,
        Some(_) => CommandEnd::SomeFailed,
    })
}

fn planned(plan: &SweepPlan, output: Output) -> String {
    let lang = output.lang;
    let usd = |usd: Option<f64>| or_dash(usd.map(|usd| format!("{usd:.4}")));
    let mut text = Columns::new(&plan.runs, lang)
        .id(text!("cell", "of a sweep"), |run| &run.cell)
        .id(text!("pack"), |run| &run.pack)
        .column("", |run| {
            lang.text(match run.state {
                SweepState::New => text!("new", "a run of a sweep"),
                SweepState::Begun => text!("begun", "a run of a sweep"),
                SweepState::Made => text!("made", "a run of a sweep"),
            })
        })
        .column(text!("attempts"), |run| run.attempts)
        .column(text!("calls"), |run| or_dash(run.calls.map(|calls| format!("{calls:.0}"))))
        .column("USD", |run| usd(run.usd))
        .column(text!("minutes"), |run| or_dash(run.minutes.map(|minutes| format!("{minutes:.1}"))))
        .text();
    let (runs, attempts) = (plan.runs.len(), plan.attempts);
    let spent = usd(plan.spent);
    let ahead = ahead(Some(plan.calls), plan.usd, Some(plan.minutes), plan.unknown);
    text.push('\n');
    text.push_str(&lang.say(&if plan.is_spent_least {
        say!(
            "{runs} runs, {attempts} attempts left: {ahead}, one run after the other; at least {spent} USD are spent\n"
        )
    } else {
        say!(
            "{runs} runs, {attempts} attempts left: {ahead}, one run after the other; {spent} USD are spent\n"
        )
    }));
    if let Some(refusal) = &plan.refusal {
        text.push_str(&format!("! {}\n", lang.say(refusal)));
    }
    text
}

fn text(summary: &SweepSummary, output: Output) -> String {
    let lang = output.lang;
    let headings = summary.headings(lang);
    let headings: Vec<&str> = headings.iter().map(String::as_str).collect();
    let rows: Vec<Vec<String>> = summary
        .rows(lang)
        .map(|(label, pack, row)| {
            let mut cells = vec![label.to_owned(), pack.to_owned()];
            cells.extend(row);
            cells
        })
        .collect();
    let mut text = columns(&headings, &rows, lang);
    text.push('\n');
    for note in summary.notes.iter().chain(&summary.stopped) {
        text.push_str(&format!("! {}\n", lang.say(note)));
    }
    let (done, runs) = (summary.done, summary.runs);
    text.push_str(&lang.say(&say!("{done} of {runs} runs")));
    text.push('\n');
    if let Some(usd) = summary.usd {
        text.push_str(&format!("{}: ${usd:.4}\n", lang.text(text!("cost"))));
    }
    text
}

//! Implements `koab find`.

use super::interrupt::on_ctrl_c;
use crate::CommandEnd;
use crate::args::find::FindArgs;
use crate::job_progress;
use crate::output::{Columns, Output};
use koab_api::{
    Api, FindAnswer, FindCount, FoundAttempt, FoundField, FoundText, JobKind, TaskStatus, WireError,
};
use koab_core::find::Query;
use koab_core::sentence::{Language, ToSentence as _};
use koab_core::{say, text};
use std::fmt::Write as _;

pub(crate) async fn find(api: &Api, args: FindArgs, output: Output) -> Result<CommandEnd, WireError> {
    let words: Vec<&str> = std::iter::once(&args.query).chain(&args.more).map(String::as_str).collect();
    let query = words.join(" ");
    // A query with a fault is refused before the runs are read.
    query.parse::<Query>().map_err(|fault| WireError::bad_request(fault.to_sentence()))?;
    let library = &api.runs.library;
    let cancel = on_ctrl_c();
    job_progress::during(api, output, &[JobKind::FindIndex], library.find_update(&cancel)).await?;
    let limit = if args.count { 0 } else { args.limit };
    let answer = library.find(&query, args.offset, limit)?;
    output.result(&answer, || shown(&answer, &args, output.lang));
    Ok(CommandEnd::Done)
}

fn shown(answer: &FindAnswer, args: &FindArgs, lang: Language) -> String {
    let FindAnswer { query, total, runs, searched, searched_runs, .. } = answer;
    let mut text =
        lang.say(&say!("{total} of {searched} attempts match, in {runs} of {searched_runs} runs: {query}\n"));
    if !answer.hits.is_empty() {
        let table = Columns::new(&answer.hits, lang)
            .id(text!("run"), |hit| &hit.run)
            .id(text!("task"), |hit| match hit.repetition {
                1 => hit.task.clone(),
                repetition => format!("{} #{repetition}", hit.task),
            })
            .column(text!("end", "of an attempt"), |hit| lang.text(status(hit.status)))
            .prose(text!("text", "of a transcript"), |hit| excerpts(hit, lang));
        let _ = write!(text, "\n{}", table.text());
    }
    if args.count || *total > answer.hits.len() as u32 {
        for (heading, counts) in [
            (text!("model"), &answer.models),
            (text!("level"), &answer.levels),
            (text!("tool that was called"), &answer.tools),
        ] {
            if !counts.is_empty() {
                let _ = write!(text, "\n{}", counted(heading, counts, lang));
            }
        }
    }
    for run in &answer.index.unreadable {
        for reason in &run.reasons {
            let reason = say!("not searched: {run}: {reason}", run = run.run);
            let _ = write!(text, "\n{}", lang.say(&reason));
        }
    }
    if answer.index.unfinished > 0 {
        let unfinished = answer.index.unfinished;
        let _ = write!(text, "\n{}", lang.say(&say!("not searched: {unfinished} runs that are being made")));
    }
    let _ = write!(text, "\n{}", next(answer, args, lang));
    text
}

/// Sentence about the next step.
fn next(answer: &FindAnswer, args: &FindArgs, lang: Language) -> String {
    let end = args.offset + answer.hits.len() as u32;
    lang.say(&match answer.hits.first() {
        _ if answer.searched == 0 => {
            say!("there is no attempt to search; make a run with `koab run`, or import one with `koab import PATH`")
        }
        _ if answer.total == 0 => {
            say!("nothing matches; `koab find --help` lists the fields, and each filter less finds more")
        }
        _ if args.count => say!("list the attempts without --count"),
        Some(_) if end < answer.total => {
            let more = answer.total - end;
            say!("{more} more: --offset {end}; only the counts: --count")
        }
        Some(hit) => say!("open a run with its transcripts: `koab open {run}`", run = hit.run),
        None => say!("no attempt is left after --offset {offset}", offset = args.offset),
    })
}

fn counted(heading: &str, counts: &[FindCount], lang: Language) -> String {
    let table = Columns::new(counts, lang)
        .id(heading, |count| &count.name)
        .column(text!("attempts"), |count| count.attempts);
    table.text()
}

fn excerpts(hit: &FoundAttempt, lang: Language) -> String {
    let excerpts: Vec<String> = hit.excerpts.iter().map(|excerpt| one(excerpt, lang)).collect();
    excerpts.join(" · ")
}

fn one(excerpt: &FoundText, lang: Language) -> String {
    let field = lang.text(match excerpt.field {
        FoundField::Ask => text!("request", "in a transcript"),
        FoundField::Said => text!("message", "in a transcript"),
        FoundField::Answer => text!("answer", "in a transcript"),
        FoundField::Argument => text!("argument", "in a transcript"),
        FoundField::Result => text!("result", "in a transcript"),
        FoundField::Error => text!("error", "in a transcript"),
    });
    let argument = excerpt.argument.as_ref().map(|name| format!(" {name}")).unwrap_or_default();
    let (before, after) =
        (if excerpt.cut_before { "…" } else { "" }, if excerpt.cut_after { "…" } else { "" });
    format!("{field}{argument}: {before}{}{after}", excerpt.text)
}

fn status(status: TaskStatus) -> &'static str {
    match status {
        TaskStatus::Answered => text!("answered", "an attempt"),
        TaskStatus::Unanswered => text!("unanswered", "an attempt"),
        TaskStatus::Failed => text!("failed", "an attempt"),
        TaskStatus::Waiting => text!("waiting", "an attempt"),
        TaskStatus::Unreadable => text!("unreadable", "an attempt"),
    }
}

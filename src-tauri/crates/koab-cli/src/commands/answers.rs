//! Scores replies that a model gave outside of this program to the items of another benchmark:
//! `koab score --answers`, `koab judge plan`, `koab run --requests`.

use crate::CommandEnd;
use crate::args::evaluate::EvaluateArgs;
use crate::args::judge::PlanArgs;
use crate::output::{Columns, Output, or_dash};
use crate::render::{self, benchmark};
use koab_api::{AnswerRow, AnswersRequest, Api, Protocol, Rules, ScoredAnswers, WireError};
use koab_core::{say, shown, text};
use std::collections::BTreeMap;

pub(super) fn evaluate(api: &Api, args: &EvaluateArgs, output: Output) -> Result<CommandEnd, WireError> {
    let request = |scorer: &Protocol| AnswersRequest {
        file: args.answers.clone().unwrap_or_default(),
        pack: args.pack.clone().unwrap_or_default(),
        rules: (*scorer).into(),
        judge_replies: args.judge_replies.clone(),
    };
    if let Some(model) = &args.save {
        let first = args.scorer.first().copied().unwrap_or_default();
        let saved = api.exchange.answers_save(&request(&first), model, args.scorer)?;
        output.result(&saved, || {
            let texts = saved.iter().map(|view| render::headline::headline(view, false, output.lang));
            texts.collect::<Vec<_>>().join("\n")
        });
        return Ok(CommandEnd::Done);
    }
    let scored = args.scorer.iter().map(|scorer| api.exchange.answers_score(&request(scorer)));
    let scored = scored.collect::<Result<Vec<_>, _>>()?;
    let text = || scored.iter().map(|one| report(one, output)).collect::<Vec<_>>().join("\n");
    match scored.as_slice() {
        [one] => output.result(one, text),
        several => output.result(&several, text),
    }
    Ok(CommandEnd::Done)
}

pub(super) fn questions(api: &Api, args: PlanArgs, output: Output) -> Result<CommandEnd, WireError> {
    let questions = api.exchange.answers_questions(&AnswersRequest {
        file: args.answers,
        pack: args.pack,
        rules: args.scorer,
        judge_replies: None,
    })?;
    output.result(&questions, || {
        if questions.is_empty() {
            return output.lang.text(text!("no judge is asked about these replies")).to_owned();
        }
        Columns::new(&questions, output.lang)
            .column(text!("line"), |one| one.line)
            .id(text!("item"), |one| &one.id)
            .id(text!("question"), |one| &one.sha256)
            .text()
    });
    Ok(CommandEnd::Done)
}

pub(super) fn requests(api: &Api, pack: &str, output: Output) -> Result<CommandEnd, WireError> {
    let hashes = api.exchange.request_hashes(pack)?;
    output.result(&hashes, || {
        Columns::new(&hashes, output.lang)
            .id(text!("item"), |one| &one.id)
            .id(text!("request"), |one| &one.sha256)
            .text()
    });
    Ok(CommandEnd::Done)
}

fn report(scored: &ScoredAnswers, output: Output) -> String {
    let lang = output.lang;
    let ScoredAnswers { pack, items, answered, .. } = scored;
    let rules = match scored.rules {
        Rules::Published => lang.text(text!("scored as published")),
        Rules::Corrected => lang.text(text!("scored by the corrected rules")),
    };
    let head = lang.say(&say!("{pack}: {answered} of {items} items are answered"));
    let mut text = format!("{head}, {rules}\n\n{}", metrics(&scored.rows, output));
    text.push_str(&reasons(&scored.rows, output));
    text.push_str(&benchmark::tables(&scored.shown, lang));
    if let Some(why) = &scored.no_tables {
        text.push_str(&format!("\n{}\n", lang.say(why)));
    }
    text
}

/// Table of the metrics over all replies.
fn metrics(rows: &[AnswerRow], output: Output) -> String {
    let mut names: Vec<&str> = Vec::new();
    for row in rows {
        if !names.contains(&row.metric) {
            names.push(row.metric);
        }
    }
    let counts = names.into_iter().map(|name| {
        let of = || rows.iter().filter(|row| row.metric == name);
        let right = of().filter(|row| row.value == Some(1)).count();
        let scored = of().filter(|row| row.value.is_some()).count();
        (name, right, scored, of().count() - scored)
    });
    Columns::new(counts, output.lang)
        .id(text!("metric"), |(name, ..)| name)
        .column(text!("right"), |(_, right, ..)| right)
        .column(text!("scored"), |(_, _, scored, _)| scored)
        .column(text!("unscored"), |(.., unscored)| unscored)
        .column(text!("share"), |(_, right, scored, _)| {
            let share = (scored > 0).then(|| right as f64 / scored as f64);
            or_dash(share.map(|share| shown::percent(share, 2)))
        })
        .text()
}

/// Table of the reasons why scores are missing, the most frequent reason first.
fn reasons(rows: &[AnswerRow], output: Output) -> String {
    let lang = output.lang;
    let mut counts: BTreeMap<(&str, String), usize> = BTreeMap::new();
    for row in rows {
        if let Some(reason) = &row.reason {
            *counts.entry((row.metric, lang.say(reason))).or_default() += 1;
        }
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let line = |((metric, reason), count): ((&str, String), usize)| {
        lang.say(&say!("{metric}, {count} unscored: {reason}")) + "\n"
    };
    counts.into_iter().map(line).collect()
}

//! Implements `koab models doctor`.

use super::interrupt::on_ctrl_c;
use super::run::local_id;
use crate::CommandEnd;
use crate::args::models::DoctorArgs;
use crate::job_progress;
use crate::output::{Columns, Output};
use koab_api::local_models::{LocalAdvice, LocalExamination};
use koab_api::{Api, JobKind, WireError};
use koab_core::sentence::Language;
use koab_core::{say, text};
use std::fmt::Write as _;

pub(crate) async fn doctor(api: &Api, args: &DoctorArgs, output: Output) -> Result<CommandEnd, WireError> {
    let id = local_id(&args.name);
    output.remark(
        output.lang.text(text!(
            "loading and trying the model; this takes seconds to minutes, depending on its size"
        )),
    );
    let settings = args.local.settings();
    let examining = api.models.local_doctor(&id, &settings, args.parallel);
    let cancel = on_ctrl_c();
    let examination = tokio::select! {
        biased;
        () = cancel.cancelled() => return Ok(CommandEnd::Cancelled),
        examination = job_progress::during(api, output, &[JobKind::ModelConversion], examining) => examination?,
    };
    output.result(&examination, || text(&examination, output.lang));
    Ok(CommandEnd::Done)
}

fn text(examination: &LocalExamination, lang: Language) -> String {
    let mut rows = facts(examination, lang);
    rows.extend(trials(examination, lang));
    let rows: Vec<Vec<String>> = rows.into_iter().map(|(name, value)| vec![name.to_owned(), value]).collect();
    let mut text = Columns::new(&rows, lang)
        .column(text!("item"), |row| &row[0])
        .prose(text!("result"), |row| &row[1])
        .text();
    for advice in &examination.advice {
        let _ = writeln!(text, "! {}", sentence(*advice, lang));
    }
    let _ = write!(
        text,
        "\n{}:\n{}",
        lang.text(text!("a conversation as the model sees it")),
        examination.rendered
    );
    text
}

/// Rows about the opened model: its precision, device, memory and context.
fn facts(examination: &LocalExamination, lang: Language) -> Vec<(&'static str, String)> {
    let mib = |bytes: u64| format!("{:.0} MiB", bytes as f64 / f64::from(1 << 20));
    let unknown = lang.text(text!("not known"));
    vec![
        (lang.text(text!("model")), examination.model.clone()),
        (
            lang.text(text!("precision")),
            examination
                .precision
                .clone()
                .unwrap_or_else(|| lang.text(text!("as the file has it")).to_owned()),
        ),
        (
            lang.text(text!("device")),
            lang.say(&say!(
                "{device}, {threads} threads",
                device = examination.device,
                threads = examination.threads
            )),
        ),
        (
            lang.text(text!("memory")),
            lang.say(&say!(
                "{weights} + {kv} of attention ({free} free)",
                weights = mib(examination.weights_bytes),
                kv = examination.kv_bytes.map_or_else(|| unknown.to_owned(), mib),
                free = examination.memory_available.map_or_else(|| unknown.to_owned(), mib)
            )),
        ),
        (
            lang.text(text!("context")),
            lang.say(&say!(
                "{context} (trained for {trained}), {parallel} conversations at once",
                context = examination.context,
                trained = examination.context_trained,
                parallel = examination.parallel
            )),
        ),
    ]
}

/// Rows with the results of the test answers: speed, repeatability and format of tool calls.
fn trials(examination: &LocalExamination, lang: Language) -> Vec<(&'static str, String)> {
    let per_second = |rate: Option<f64>| match rate {
        Some(rate) => lang.say(&say!("{rate:.1} tokens/s")),
        None => lang.text(text!("could not be measured")).to_owned(),
    };
    let mut rows = vec![
        (lang.text(text!("reading")), per_second(examination.prompt_per_second)),
        (lang.text(text!("writing")), per_second(examination.written_per_second)),
        (
            lang.text(text!("repeatable")),
            match examination.deterministic {
                Some(true) => lang.text(text!("yes, one conversation at a time: the answer to a long prompt was the same, read anew and reused")),
                Some(false) => lang.text(text!("no: equal prompts had different answers")),
                None => lang.text(text!("not known")),
            }
            .to_owned(),
        ),
        (
            lang.text(text!("tools")),
            format!(
                "{}; {}",
                examination.form,
                if examination.handles_tools {
                    lang.text(text!("described by the chat template"))
                } else {
                    lang.text(text!("described in the system message"))
                }
            ),
        ),
    ];
    if let Some(is_same) = examination.deterministic_together {
        let at_once = if is_same {
            text!("the same answer in this trial, but not guaranteed; --concurrency 1 makes a run repeatable")
        } else {
            text!("another answer; --concurrency 1 makes a run repeatable")
        };
        rows.push((lang.text(text!("several at once")), lang.text(at_once).to_owned()));
    }
    if let Some(longest) = &examination.longest {
        let over = match longest.too_long.as_slice() {
            [] => lang.text(text!("all fit")).to_owned(),
            tasks => format!("{}: {}", lang.text(text!("too long")), tasks.join(", ")),
        };
        rows.push((
            lang.text(text!("longest first prompt")),
            format!("{} ({}); {over}", longest.tokens, longest.task),
        ));
    }
    rows
}

fn sentence(advice: LocalAdvice, lang: Language) -> &'static str {
    match advice {
        LocalAdvice::LargerContext => {
            lang.text(text!("not all prompts of the pack fit: choose a larger --context"))
        }
        LocalAdvice::LessMemory => lang.text(text!(
            "it takes most of the free memory: choose a --quantization, or a smaller --context or --parallel"
        )),
        LocalAdvice::ToolsByHand => lang.text(text!(
            "the chat template does not describe tools: a model that was tuned for tools does better"
        )),
        LocalAdvice::Repeat => lang.text(text!(
            "the same question got two answers: use --repetitions, and report results with their intervals"
        )),
        LocalAdvice::Slow => lang.text(text!(
            "it is slow on this computer: raise --timeout, or choose a smaller model or precision"
        )),
    }
}

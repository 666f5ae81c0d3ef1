//! Implements `koab cache misses` and `koab cache fill`.

use super::interrupt::on_ctrl_c;
use crate::CommandEnd;
use crate::args::cache::CacheFillArgs;
use crate::job_progress;
use crate::output::{Columns, Output};
use koab_api::{
    Api, ArgumentDifference, DifferenceOfArgument, FillEnd, FillPlan, FillRequest, JobKind, Miss,
    MissStanding, RunMisses, WireError,
};
use koab_core::sentence::Language;
use koab_core::{say, text};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// Maximum number of errors that are printed per tool. The JSON document has all errors.
const MAX_ERRORS: usize = 5;

pub(super) fn misses(api: &Api, run: &str, output: Output) -> Result<CommandEnd, WireError> {
    let misses = api.runs.library.cache_misses(run)?;
    output.result(&misses, || all(&misses, output));
    Ok(CommandEnd::Done)
}

pub(super) async fn fill(api: &Api, args: CacheFillArgs, output: Output) -> Result<CommandEnd, WireError> {
    let request = FillRequest {
        run: args.of.run,
        tasks: (!args.tasks.is_empty()).then_some(args.tasks),
        without_keys: args.without_keys,
    };
    let plan = api.runs.cache_fill_plan(request.clone()).await?;
    if args.dry_run {
        output.result(&json!({ "plan": plan }), || planned(&plan, output.lang));
        return Ok(CommandEnd::Done);
    }
    // The plan is printed before the first call, so it is shown even if the calls fail.
    output.remark(&planned(&plan, output.lang));
    let cancel = on_ctrl_c();
    let filling = api.runs.cache_fill(request, &cancel);
    let end = job_progress::during(api, output, &[JobKind::CacheFill], filling).await?;
    output.result(&json!({ "plan": plan, "fill": end }), || ended(&end, output));
    Ok(if end.stopped > 0 {
        CommandEnd::Cancelled
    } else if end.failed > 0 {
        CommandEnd::SomeFailed
    } else {
        CommandEnd::Done
    })
}

fn all(misses: &RunMisses, output: Output) -> String {
    let lang = output.lang;
    let (missed, calls) = (misses.misses.len(), misses.calls);
    if misses.misses.is_empty() {
        let mut text = match calls {
            0 => lang.text(text!("no tool was called")).to_owned(),
            _ => lang.say(&say!("no call was missed ({calls} tool calls)")),
        };
        if misses.from_logs {
            text.push_str(lang.text(text!("\na log shows a miss only if an error in it says so")));
        }
        return text;
    }
    let mut text = lang.say(&say!("{missed} of {calls} tool calls had no cached response ({distinct} different ones, {open} still open)\n", distinct = misses.distinct, open = misses.open));
    let reference = misses.against.as_deref().unwrap_or("-");
    let _ = writeln!(text, "{}: {reference}\n", lang.text(text!("compared with")));
    let table = Columns::new(&misses.tools, lang)
        .column(text!("tool"), |row| &row.tool)
        .column(text!("calls"), |row| row.calls)
        .column(text!("missed"), |row| row.misses)
        .column(text!("different"), |row| row.distinct);
    text.push_str(&table.text());
    let table = Columns::new(&misses.levels, lang)
        .column(text!("level"), |row| &row.level)
        .column(text!("tasks"), |row| row.tasks)
        .column(text!("affected"), |row| row.affected)
        .column(text!("calls"), |row| row.calls)
        .column(text!("missed"), |row| row.misses);
    let _ = write!(text, "\n{}", table.text());
    for miss in &misses.misses {
        let _ = write!(text, "\n{}", one(miss, output));
    }
    text
}

fn one(miss: &Miss, output: Output) -> String {
    let lang = output.lang;
    let mut text = format!("{} {}", miss.level, miss.task);
    if miss.repetition > 1 {
        let _ = write!(text, " #{}", miss.repetition);
    }
    if let Some(step) = miss.step {
        let _ = write!(text, " {} {step}", lang.text(text!("step")));
    }
    let _ = writeln!(text, "  {} {}", miss.tool, miss.arguments.0);
    match &miss.standing {
        MissStanding::Open {} => {}
        MissStanding::Kept { origin, at } => {
            let _ = writeln!(text, "  {}: {origin}, {at}", lang.text(text!("saved")));
        }
        MissStanding::Recorded {} => {
            let _ = writeln!(text, "  {}", lang.text(text!("the pack has a cached response now")));
        }
        MissStanding::Refused { why } => {
            let _ = writeln!(text, "  {}", lang.say(why));
        }
    }
    match &miss.nearest {
        None => {
            let none = lang.text(text!("the pack has no cached response of this tool"));
            let _ = writeln!(text, "  {none}");
        }
        Some(nearest) => {
            let name = lang.text(text!("nearest cached call"));
            let _ = writeln!(text, "  {name}: {}", nearest.args.0);
            for difference in &nearest.differences {
                let _ = writeln!(text, "    {}", differing(difference, lang));
            }
        }
    }
    text
}

fn differing(difference: &ArgumentDifference, lang: Language) -> String {
    let ArgumentDifference { name, kind, asked, recorded } = difference;
    let (asked, recorded): (&Value, &Value) = (&asked.0, &recorded.0);
    lang.say(&match kind {
        DifferenceOfArgument::Value => say!("{name}: asked {asked}, recorded {recorded}"),
        DifferenceOfArgument::Missing => say!("{name}: not asked, recorded {recorded}"),
        DifferenceOfArgument::Extra => say!("{name}: asked {asked}, not recorded"),
    })
}

fn planned(plan: &FillPlan, lang: Language) -> String {
    let mut text = lang.say(&say!(
        "{calls} different calls of {run} to make, {ready} of them with keys (answers are saved beside {pack})\n",
        calls = plan.calls,
        run = plan.run,
        ready = plan.ready,
        pack = plan.pack
    ));
    if !plan.services.is_empty() {
        let table = Columns::new(&plan.services, lang)
            .column(text!("service"), |row| &row.service.title)
            .column(text!("calls"), |row| row.calls)
            .prose(text!("keys"), |row| {
                let lacking = row.service.keys.iter().filter(|key| !key.present);
                let lacking: Vec<&str> = lacking.map(|key| key.name.as_str()).collect();
                match (lacking.is_empty(), row.service.keys.is_empty()) {
                    (true, true) => lang.text(text!("none needed")).to_owned(),
                    (true, false) => lang.text(text!("present")).to_owned(),
                    (false, _) => format!("{}: {}", lang.text(text!("missing")), lacking.join(", ")),
                }
            });
        text.push_str(&table.text());
    }
    for (count, what) in [
        (plan.answered, text!("saved or cached already")),
        (plan.refused, text!("refused by the tool as it is now")),
        (plan.no_service, text!("without a service to ask")),
    ] {
        if count > 0 {
            let _ = writeln!(text, "{}: {count}", lang.text(what));
        }
    }
    text.trim_end().to_owned()
}

fn ended(end: &FillEnd, output: Output) -> String {
    let lang = output.lang;
    let mut text = lang.say(&say!(
        "{recorded} of {calls} answers saved, {failed} failed",
        recorded = end.recorded,
        calls = end.calls,
        failed = end.failed
    ));
    if end.without_keys > 0 {
        let _ = write!(text, ", {} {}", end.without_keys, lang.text(text!("without keys")));
    }
    if end.stopped > 0 {
        let _ = write!(text, ", {} {}", end.stopped, lang.text(text!("not asked for")));
    }
    text.push('\n');
    for tool in &end.tools {
        let _ = write!(
            text,
            "\n{} ({}): {} {}, {} {}",
            tool.tool,
            tool.service,
            tool.recorded,
            lang.text(text!("saved")),
            tool.failed,
            lang.text(text!("failed"))
        );
        if !tool.missing_keys.is_empty() {
            let missing = tool.missing_keys.join(", ");
            let _ = write!(text, ", {}: {missing}", lang.text(text!("missing keys")));
        }
        text.push('\n');
        for error in tool.errors.iter().take(MAX_ERRORS) {
            let _ = writeln!(text, "  {} × {}", error.calls, lang.say(&error.message));
        }
        if tool.errors.len() > MAX_ERRORS {
            let _ = writeln!(text, "  + {}", tool.errors.len() - MAX_ERRORS);
        }
    }
    if !end.tasks.is_empty() {
        let again = lang.text(text!("tasks to make again"));
        let _ = writeln!(text, "\n{again}: {}\n  koab run --misses-of {}", end.tasks.join(", "), end.run);
    }
    text
}

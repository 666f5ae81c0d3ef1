//! `koab cache misses` and `koab cache fill`.

use super::on_ctrl_c;
use crate::Ended;
use crate::activity_progress;
use crate::args::CacheFillArgs;
use crate::lang::Lang;
use crate::output::{Output, columns};
use koab_api::{
    ActivityKind, Api, ArgumentDifference, DifferenceOfArgument, FillEnd, FillPlan, FillRequest, Miss,
    MissStanding, RunMisses, WireError,
};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// Errors of one tool that are told; the document has all of them.
const ERRORS: usize = 5;

pub(super) fn misses(api: &Api, run: &str, output: Output) -> Result<Ended, WireError> {
    let misses = api.cache_misses(run)?;
    output.result(&misses, || all(&misses, output));
    Ok(Ended::Done)
}

pub(super) async fn fill(api: &Api, args: CacheFillArgs, output: Output) -> Result<Ended, WireError> {
    let request = FillRequest {
        run: args.run,
        tasks: (!args.tasks.is_empty()).then_some(args.tasks),
        without_keys: args.without_keys,
    };
    let plan = api.cache_fill_plan(request.clone()).await?;
    if args.dry_run {
        output.result(&json!({ "plan": plan }), || planned(&plan, output.lang));
        return Ok(Ended::Done);
    }
    // Said before anybody is asked, whatever comes of it.
    output.remark(&planned(&plan, output.lang));
    let cancel = on_ctrl_c();
    let filling = api.cache_fill(request, &cancel);
    let end = activity_progress::during(api, output, &[ActivityKind::CacheFill], filling).await?;
    output.result(&json!({ "plan": plan, "fill": end }), || ended(&end, output));
    Ok(if end.stopped > 0 {
        Ended::Cancelled
    } else if end.failed > 0 {
        Ended::SomeFailed
    } else {
        Ended::Done
    })
}

fn all(misses: &RunMisses, output: Output) -> String {
    let lang = output.lang;
    let (missed, calls) = (misses.misses.len(), misses.calls);
    if misses.misses.is_empty() {
        let mut text = match lang {
            Lang::Ko => format!("기록에 없는 호출이 없습니다 (도구 호출 {calls}건)"),
            Lang::En => format!("no call was missed ({calls} tool calls)"),
        };
        if misses.from_logs {
            text.push_str(lang.pick(
                "\n로그에서는 기록 없음이 오류 문구에 적힌 경우만 알 수 있습니다.",
                "\nlogs tell a miss only where their errors say so",
            ));
        }
        return text;
    }
    let mut text = match lang {
        Lang::Ko => format!(
            "도구 호출 {calls}건 중 {missed}건에 기록된 응답이 없습니다 (서로 다른 호출 {}건, 아직 답이 없는 것 {}건)\n",
            misses.distinct, misses.open
        ),
        Lang::En => format!(
            "{missed} of {calls} tool calls had no recorded response ({} different ones, {} still open)\n",
            misses.distinct, misses.open
        ),
    };
    let held = misses.against.as_deref().unwrap_or("-");
    let _ = writeln!(text, "{}: {held}\n", lang.pick("대조한 팩", "held against"));
    let tools: Vec<Vec<String>> = misses
        .tools
        .iter()
        .map(|row| {
            let counts = [row.calls, row.misses, row.distinct].map(|n| n.to_string());
            std::iter::once(row.tool.clone()).chain(counts).collect()
        })
        .collect();
    let (calls, missed) = (lang.pick("호출", "calls"), lang.pick("기록 없음", "missed"));
    text.push_str(&columns(
        &[
            lang.pick("도구", "tool"),
            calls,
            missed,
            lang.pick("서로 다름", "different"),
        ],
        &tools,
    ));
    let levels: Vec<Vec<String>> = misses
        .levels
        .iter()
        .map(|row| {
            let counts = [row.tasks, row.affected, row.calls, row.misses].map(|n| n.to_string());
            std::iter::once(row.level.to_string()).chain(counts).collect()
        })
        .collect();
    let header = [
        lang.pick("레벨", "level"),
        lang.pick("과제", "tasks"),
        lang.pick("해당 과제", "affected"),
        calls,
        missed,
    ];
    let _ = write!(text, "\n{}", columns(&header, &levels));
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
        let _ = write!(text, " {} {step}", lang.pick("턴", "step"));
    }
    let _ = writeln!(text, "  {} {}", miss.tool, miss.arguments.0);
    match &miss.standing {
        MissStanding::Open {} => {}
        MissStanding::Kept { origin, at } => {
            let _ = writeln!(text, "  {}: {origin}, {at}", lang.pick("저장됨", "kept"));
        }
        MissStanding::Recorded {} => {
            let _ = writeln!(
                text,
                "  {}",
                lang.pick("지금 팩에는 기록이 있습니다", "the pack has a record of it now")
            );
        }
        MissStanding::Refused { why } => {
            let _ = writeln!(text, "  {}", lang.said(why));
        }
    }
    match &miss.nearest {
        None => {
            let none = lang.pick("이 도구의 기록이 없습니다", "nothing is recorded for this tool");
            let _ = writeln!(text, "  {none}");
        }
        Some(nearest) => {
            let name = lang.pick("가장 비슷한 기록", "nearest record");
            let _ = writeln!(text, "  {name}: {}", nearest.args.0);
            for difference in &nearest.differences {
                let _ = writeln!(text, "    {}", differing(difference, lang));
            }
        }
    }
    text
}

fn differing(difference: &ArgumentDifference, lang: Lang) -> String {
    let ArgumentDifference {
        name,
        kind,
        asked,
        recorded,
    } = difference;
    let (asked, recorded): (&Value, &Value) = (&asked.0, &recorded.0);
    match (kind, lang) {
        (DifferenceOfArgument::Value, Lang::Ko) => format!("{name}: 호출 {asked}, 기록 {recorded}"),
        (DifferenceOfArgument::Value, Lang::En) => format!("{name}: asked {asked}, recorded {recorded}"),
        (DifferenceOfArgument::Missing, Lang::Ko) => format!("{name}: 호출에 없음, 기록 {recorded}"),
        (DifferenceOfArgument::Missing, Lang::En) => format!("{name}: not asked, recorded {recorded}"),
        (DifferenceOfArgument::Extra, Lang::Ko) => format!("{name}: 호출 {asked}, 기록에 없음"),
        (DifferenceOfArgument::Extra, Lang::En) => format!("{name}: asked {asked}, not recorded"),
    }
}

fn planned(plan: &FillPlan, lang: Lang) -> String {
    let mut text = match lang {
        Lang::Ko => format!(
            "{} 실행에서 물을 서로 다른 호출 {}건, 키가 있는 것 {}건 ({} 곁에 저장)\n",
            plan.run, plan.calls, plan.ready, plan.pack
        ),
        Lang::En => format!(
            "{} different calls of {} to ask for, {} of them with keys (kept beside {})\n",
            plan.calls, plan.run, plan.ready, plan.pack
        ),
    };
    let rows: Vec<Vec<String>> = plan
        .services
        .iter()
        .map(|row| {
            let lacking = row.service.keys.iter().filter(|key| !key.present);
            let lacking: Vec<&str> = lacking.map(|key| key.name.as_str()).collect();
            let keys = match (lacking.is_empty(), row.service.keys.is_empty()) {
                (true, true) => lang.pick("필요 없음", "none needed").to_owned(),
                (true, false) => lang.pick("있음", "present").to_owned(),
                (false, _) => format!("{}: {}", lang.pick("없음", "missing"), lacking.join(", ")),
            };
            vec![row.service.title.clone(), row.calls.to_string(), keys]
        })
        .collect();
    if !rows.is_empty() {
        let header = [
            lang.pick("서비스", "service"),
            lang.pick("호출", "calls"),
            lang.pick("키", "keys"),
        ];
        text.push_str(&columns(&header, &rows));
    }
    for (count, ko, en) in [
        (
            plan.answered,
            "이미 저장되었거나 기록된 호출",
            "kept or recorded already",
        ),
        (
            plan.refused,
            "지금의 도구 정의가 받지 않는 호출",
            "refused by the tool as it is now",
        ),
        (
            plan.no_service,
            "물을 서비스가 없는 호출",
            "without a service to ask",
        ),
    ] {
        if count > 0 {
            let _ = writeln!(text, "{}: {count}", lang.pick(ko, en));
        }
    }
    text.trim_end().to_owned()
}

fn ended(end: &FillEnd, output: Output) -> String {
    let lang = output.lang;
    let mut text = match lang {
        Lang::Ko => format!(
            "호출 {}건 중 {}건 저장, {}건 실패",
            end.calls, end.recorded, end.failed
        ),
        Lang::En => format!(
            "{} of {} calls kept, {} failed",
            end.recorded, end.calls, end.failed
        ),
    };
    if end.without_keys > 0 {
        let _ = write!(
            text,
            ", {} {}",
            end.without_keys,
            lang.pick("건은 키 없음", "without keys")
        );
    }
    if end.stopped > 0 {
        let _ = write!(
            text,
            ", {} {}",
            end.stopped,
            lang.pick("건은 묻지 않음", "not asked for")
        );
    }
    text.push('\n');
    for tool in &end.tools {
        let _ = write!(
            text,
            "\n{} ({}): {} {}, {} {}",
            tool.tool,
            tool.service,
            tool.recorded,
            lang.pick("저장", "kept"),
            tool.failed,
            lang.pick("실패", "failed")
        );
        if !tool.missing_keys.is_empty() {
            let missing = tool.missing_keys.join(", ");
            let _ = write!(text, ", {}: {missing}", lang.pick("없는 키", "missing keys"));
        }
        text.push('\n');
        for error in tool.errors.iter().take(ERRORS) {
            let _ = writeln!(text, "  {} × {}", error.calls, lang.said(&error.message));
        }
        if tool.errors.len() > ERRORS {
            let _ = writeln!(text, "  + {}", tool.errors.len() - ERRORS);
        }
    }
    if !end.tasks.is_empty() {
        let again = lang.pick("다시 실행할 과제", "tasks to make again");
        let _ = writeln!(
            text,
            "\n{again}: {}\n  koab run --misses-of {}",
            end.tasks.join(", "),
            end.run
        );
    }
    text
}

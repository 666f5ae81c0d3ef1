//! `koab cache drift`.

use super::cache_snapshot::state;
use crate::Ended;
use crate::args::snapshot::DriftArgs;
use crate::lang::Lang;
use crate::output::{Output, columns};
use koab_api::{Api, CallDrift, CallDriftKind, DriftTotals, RunDrift, ValueChange, WireError};

/// Places that are listed of each call.
const PLACES: usize = 5;

pub(crate) fn drift(api: &Api, args: &DriftArgs, output: Output) -> Result<Ended, WireError> {
    let drift = api.drift(&args.run, &args.against, args.task.as_deref())?;
    output.result(&drift, || {
        text(
            &drift,
            args.all,
            if args.task.is_some() { usize::MAX } else { PLACES },
            output.lang,
        )
    });
    Ok(Ended::Done)
}

fn text(drift: &RunDrift, all: bool, places: usize, lang: Lang) -> String {
    let mut text = format!(
        "{}: {} ({})\n{}: {}\n\n",
        lang.pick("실행", "run"),
        drift.run,
        drift.pack.as_deref().unwrap_or("—"),
        lang.pick("비교 대상", "held against"),
        state(&drift.against, lang),
    );
    let mut rows: Vec<Vec<String>> = drift.tools.iter().map(|t| row(&t.tool, &t.totals)).collect();
    rows.push(row(lang.pick("합계", "all"), &drift.totals));
    let header = [
        lang.pick("도구", "tool"),
        lang.pick("호출", "calls"),
        lang.pick("같음", "same"),
        lang.pick("다름", "differs"),
        lang.pick("이제 없음", "now missing"),
        lang.pick("이제 있음", "now found"),
        lang.pick("여전히 없음", "still missing"),
        lang.pick("그때 오류", "error then"),
        lang.pick("주입된 오류", "injected"),
        lang.pick("보관 안 됨", "not kept"),
    ];
    text.push_str(&columns(&header, &rows));
    for task in &drift.tasks {
        let told: Vec<&CallDrift> = task
            .calls
            .iter()
            .filter(|call| all || is_drift(call.kind))
            .collect();
        if told.is_empty() {
            continue;
        }
        let repetition = if task.repetition > 1 {
            format!(" #{}", task.repetition)
        } else {
            String::new()
        };
        text.push_str(&format!("\n{}{repetition}\n", task.task));
        for call in told {
            text.push_str(&format!(
                "  {}. {} {}: {}\n",
                call.call + 1,
                call.tool,
                *call.arguments,
                kind(call.kind, lang)
            ));
            if let Some(reason) = call
                .reason
                .as_ref()
                .filter(|_| call.kind == CallDriftKind::Missing)
            {
                text.push_str(&format!("      {}\n", lang.said(reason)));
            }
            let Some(found) = &call.places else { continue };
            found
                .shown
                .iter()
                .take(places)
                .for_each(|one| text.push_str(&place(one)));
            let hidden = found.total as usize - found.shown.len().min(places);
            if hidden > 0 {
                text.push_str(&match lang {
                    Lang::Ko => format!("      … 그 밖에 {hidden}곳\n"),
                    Lang::En => format!("      … and {hidden} more places\n"),
                });
            }
        }
    }
    text
}

fn is_drift(kind: CallDriftKind) -> bool {
    matches!(
        kind,
        CallDriftKind::Differs | CallDriftKind::Missing | CallDriftKind::Found
    )
}

fn row(name: &str, t: &DriftTotals) -> Vec<String> {
    let counts = [
        t.calls,
        t.same,
        t.differs,
        t.missing,
        t.found,
        t.still_missing,
        t.error_then,
        t.injected,
        t.not_kept,
    ];
    let mut row = vec![name.to_owned()];
    row.extend(counts.map(|count| count.to_string()));
    row
}

/// A place at which two answers differ.
pub(super) fn place(place: &ValueChange) -> String {
    let side = |side: &Option<String>| side.clone().unwrap_or_else(|| "—".to_owned());
    let path = if place.path.is_empty() { "$" } else { &place.path };
    format!("      {path}: {} → {}\n", side(&place.then), side(&place.now))
}

fn kind(kind: CallDriftKind, lang: Lang) -> &'static str {
    match kind {
        CallDriftKind::Same => lang.pick("같음", "the same"),
        CallDriftKind::Differs => lang.pick("다른 결과", "another result"),
        CallDriftKind::Missing => lang.pick("이제 기록 없음", "now without a result"),
        CallDriftKind::Found => lang.pick("이제 기록 있음", "now with a result"),
        CallDriftKind::StillMissing => lang.pick("여전히 기록 없음", "still without a recorded response"),
        CallDriftKind::ErrorThen => lang.pick("그때 오류", "failed then"),
        CallDriftKind::Injected => lang.pick("과제가 주입한 오류", "a failure that the task injects"),
        CallDriftKind::NotKept => {
            lang.pick("실행이 결과를 보관하지 않음", "the run does not keep its result")
        }
    }
}

//! `koab report references`, and where a report stands among them.

use super::table::interval;
use crate::Ended;
use crate::lang::Lang;
use crate::output::{Output, columns};
use koab_api::shown;
use koab_api::{Api, ReferenceStanding, StandingMeasure, WireError};
use serde_json::json;

/// The set as a list; with `remove` it goes to the trash, with `restore` it comes back.
pub(crate) fn references(
    api: &Api,
    (remove, yes, restore): (bool, bool, bool),
    output: Output,
) -> Result<Ended, WireError> {
    let lang = output.lang;
    if remove {
        if !yes {
            return Err(WireError::bad_request(
                "this moves every report of the reference set to the trash; say so with --yes",
            ));
        }
        let deleted = api.references_remove()?;
        output.result(&json!({ "deleted": deleted }), || match lang {
            Lang::Ko => format!(
                "참조 모음의 보고서 {}개를 휴지통으로 옮겼습니다. 30일 안에 --restore로 되돌릴 수 있습니다.",
                deleted.len()
            ),
            Lang::En => format!(
                "{} reports of the reference set are in the trash; --restore brings them back within 30 days",
                deleted.len()
            ),
        });
        return Ok(Ended::Done);
    }
    if restore {
        let restored = api.references_restore()?;
        output.result(&json!({ "restored": restored }), || {
            format!("{}: {}", lang.pick("되돌림", "brought back"), restored.join(", "))
        });
        return Ok(Ended::Done);
    }
    let set = api.references()?;
    output.result(&set, || {
        if set.reports.is_empty() {
            return lang
                .pick(
                    "참조 모음이 없습니다. `koab report import PATH --reference`로 가져오세요.",
                    "there is no reference set; bring one with `koab report import PATH --reference`",
                )
                .to_owned();
        }
        let rows: Vec<Vec<String>> = set
            .reports
            .iter()
            .map(|report| {
                vec![
                    report.model.clone(),
                    report.date.clone(),
                    report.id.clone(),
                    report.source.clone(),
                ]
            })
            .collect();
        let header = [
            lang.pick("모델", "model"),
            lang.pick("실행", "run"),
            lang.pick("보고서", "report"),
            lang.pick("출처", "source"),
        ];
        format!(
            "{}{}: {}\n",
            columns(&header, &rows),
            lang.pick("보고서", "reports"),
            set.reports.len()
        )
    });
    Ok(Ended::Done)
}

/// Reports, and those of the reference set that are not among them.
pub(crate) fn added(api: &Api, mut ids: Vec<String>) -> Result<Vec<String>, WireError> {
    let set = api.references()?;
    if set.reports.is_empty() {
        return Err(WireError::not_found(
            "there is no reference set; bring one with `koab report import PATH --reference`",
        ));
    }
    for report in set.reports {
        if !ids.contains(&report.id) {
            ids.push(report.id);
        }
    }
    Ok(ids)
}

/// Where a report stands; nothing without a reference set.
pub(crate) fn among(standing: &ReferenceStanding, lang: Lang) -> String {
    if standing.references == 0 {
        return String::new();
    }
    let mut text = String::new();
    for measure in &standing.measures {
        text.push_str(&ranking(measure, lang));
    }
    for out in &standing.left_out {
        text.push_str(&format!("  {}: {}\n", out.model, lang.said(&out.reason)));
    }
    if text.is_empty() {
        return text;
    }
    format!(
        "\n{}\n{text}",
        lang.pick("참조 모음 안의 위치", "among the reference set")
    )
}

fn ranking(measure: &StandingMeasure, lang: Lang) -> String {
    let place = match (measure.rank, lang) {
        (Some(rank), Lang::Ko) => format!("{}개 중 {rank}위", measure.of),
        (Some(rank), Lang::En) => format!("place {rank} of {}", measure.of),
        (None, _) => measure
            .reason
            .as_deref()
            .map_or_else(|| "—".to_owned(), |reason| lang.said(reason)),
    };
    let rows: Vec<Vec<String>> = measure
        .points
        .iter()
        .map(|point| {
            vec![
                if point.own { ">" } else { " " }.to_owned(),
                point.model.clone(),
                shown::score(point.value),
                interval(Some(&point.range)),
            ]
        })
        .collect();
    let header = [
        "",
        lang.pick("모델", "model"),
        measure.measure.as_str(),
        lang.pick("95% 구간", "95 % interval"),
    ];
    let reading = measure
        .reading
        .as_deref()
        .map(|reading| format!("  {}\n", lang.said(reading)));
    format!(
        "{}: {place}\n{}{}",
        measure.measure,
        reading.unwrap_or_default(),
        columns(&header, &rows)
    )
}

//! `koab report`.

use super::{comparability, references, repetitions, report_compare, report_tests, table};
use crate::Ended;
use crate::args::submit::{NamesArg, OrderArg};
use crate::args::{ExportArg, ReportCommand};
use crate::output::{Output, spared_columns};
use koab_api::{
    Api, CombinedNames, CombinedOrder, CompositeRow, MatrixRequest, PairRequest, PairView, ReportFormat,
    ReportView, WireError, shown, shown_reading,
};
use serde_json::json;
use std::path::{Path, PathBuf};

pub(crate) async fn report(api: &Api, command: ReportCommand, output: Output) -> Result<Ended, WireError> {
    let lang = output.lang;
    match command {
        ReportCommand::List => {
            let reports = api.reports_list()?;
            output.result(&reports, || {
                if reports.is_empty() {
                    return lang
                        .pick(
                            "아직 보고서가 없습니다. `koab evaluate`로 만드세요.",
                            "no reports yet; make one with `koab evaluate`",
                        )
                        .to_owned();
                }
                // One reading for the whole table, or its numbers would not mean the same.
                let variant = shown_reading(&reports);
                let composite = |report: &ReportView| -> Option<CompositeRow> {
                    let mut rows = report.composites.iter();
                    rows.find(|row| row.variant == variant).cloned()
                };
                let rows: Vec<Vec<String>> = reports
                    .iter()
                    .map(|r| {
                        let value = composite(r).and_then(|row| row.value);
                        let comparable = r.comparability.as_ref().map_or("—", |judged| {
                            comparability::grade(judged.leaderboard.grade, lang)
                        });
                        vec![
                            r.id.clone(),
                            r.model.clone(),
                            r.scorer.to_string(),
                            shown::score(value),
                            comparable.to_owned(),
                        ]
                    })
                    .collect();
                let header = [
                    lang.pick("보고서", "report"),
                    lang.pick("모델", "model"),
                    lang.pick("채점", "scorer"),
                    &variant,
                    lang.pick("리더보드와", "with leaderboard"),
                ];
                let reading = reports.iter().find_map(|report| Some(composite(report)?.reading));
                let title = lang.pick("종합 점수", "composite");
                let said = lang.said(&reading.unwrap_or_default());
                // The report's name has the model in it.
                let table = spared_columns(&header, &rows, &[1, 2], lang);
                let mut text = format!("{table}\n{title} {variant}: {said}\n");
                for (id, outdated) in reports.iter().filter_map(|r| Some((&r.id, r.outdated.as_ref()?))) {
                    text.push_str(&format!("! {id}: {}\n", lang.said(outdated)));
                }
                text
            });
        }
        ReportCommand::Show { id } => {
            let view = api.report_show(&id)?.ok_or_else(|| {
                WireError::not_found(format!("there is no report {id}; see `koab report list`"))
            })?;
            let repeated = repetitions::known(api, &view.id);
            let mut document = serde_json::to_value(&view).map_err(WireError::internal)?;
            document["repetitions"] = json!(repeated);
            let standing = api.report_standing(&view.id).ok();
            document["reference"] = json!(standing);
            output.result(&document, || {
                let text = table::report(&view, repeated.is_some(), lang);
                let among = standing
                    .as_ref()
                    .map(|standing| references::among(standing, lang));
                let text = text + &among.unwrap_or_default();
                match &repeated {
                    Some(repeated) => format!("{text}\n{}", repetitions::brief(repeated, &view.id, lang)),
                    None => text,
                }
            });
        }
        ReportCommand::Repetitions { id } => {
            let repeated = api.report_repetitions(&id)?;
            output.result(&repeated, || repetitions::text(&repeated, lang));
        }
        ReportCommand::Compare {
            ids,
            metrics,
            seed,
            draws,
            with_reference,
        } => {
            let ids = if with_reference {
                references::added(api, ids)?
            } else {
                ids
            };
            let view = api.compare(&ids)?;
            let ranks = api.compare_ranks(&ids, seed, draws)?;
            let others = ranks.reports.iter().skip(1);
            let tests: Vec<PairView> = others
                .map(|second| {
                    api.compare_pair(&PairRequest {
                        first: ranks.reports[0].clone(),
                        second: second.clone(),
                        metrics: metrics.clone(),
                        seed,
                        draws,
                    })
                })
                .collect::<Result<_, _>>()?;
            let mut document = json!(view);
            document["tests"] = json!(tests);
            document["ranks"] = json!(ranks);
            output.result(&document, || {
                let mut text = report_compare::text(&view, lang);
                text.extend(tests.iter().map(|pair| report_tests::pair(pair, lang)));
                text.push_str(&report_tests::ranks(&ranks, lang));
                text
            });
        }
        ReportCommand::Matrix {
            ids,
            metric,
            level,
            scorer,
        } => {
            let view = api.compare_matrix(&MatrixRequest {
                ids,
                metric: Some(metric),
                level,
                scorer,
            })?;
            output.result(&view, || report_tests::matrix(&view, lang));
        }
        ReportCommand::Atlas(args) => super::atlas::atlas(api, args, output)?,
        ReportCommand::Export {
            id,
            format,
            output: file,
        } => {
            let format = match format {
                ExportArg::Html => ReportFormat::Html,
                ExportArg::Json => ReportFormat::Json,
                ExportArg::Csv => ReportFormat::Csv,
                ExportArg::Md => ReportFormat::Md,
            };
            let exported = api.report_export(&id, format, lang.pick("ko", "en"))?;
            if file.as_os_str() == "-" {
                output.file(&exported, &exported.text);
                return Ok(Ended::Done);
            }
            std::fs::write(&file, &exported.text).map_err(|error| {
                let file = file.display();
                WireError::storage(format!(
                    "{file} cannot be written: {error}; choose another with -o"
                ))
            })?;
            let mut files = vec![file.display().to_string()];
            for beside in &exported.beside {
                let path = beside_of(&file, &id, &beside.name);
                std::fs::write(&path, &beside.text).map_err(|error| {
                    WireError::storage(format!("{} cannot be written: {error}", path.display()))
                })?;
                files.push(path.display().to_string());
            }
            let written = json!({
                "file": file.display().to_string(), "bytes": exported.text.len(), "beside": files[1..],
            });
            output.result(&written, || {
                format!("{}: {}", lang.pick("저장됨", "written"), files.join(", "))
            });
        }
        ReportCommand::References { remove, yes, restore } => {
            return references::references(api, (remove, yes, restore), output);
        }
        ReportCommand::Import { paths, reference } => {
            return super::import::import(api, paths, reference, output).await;
        }
        ReportCommand::Combine {
            dir,
            report,
            with_reference,
            output: file,
            names,
            order,
        } => {
            let names = match names {
                NamesArg::Script => CombinedNames::Published,
                NamesArg::Leaderboard => CombinedNames::Leaderboard,
                NamesArg::Plain => CombinedNames::Plain,
            };
            let order = match order {
                OrderArg::Folder => CombinedOrder::Folder,
                OrderArg::Name => CombinedOrder::Name,
                OrderArg::Success => CombinedOrder::Success,
            };
            let combined = if report.is_empty() {
                let reports = dir.unwrap_or_else(|| api.home().reports());
                api.report_combine(&reports, &file, names, order)?
            } else if with_reference {
                api.report_combine_some(&references::added(api, report)?, &file, names, order)?
            } else {
                api.report_combine_some(&report, &file, names, order)?
            };
            if !combined.repeated.is_empty() {
                let why = lang.pick(
                    "보고서가 여럿인 모델 (표에서 구별되지 않음)",
                    "models with several reports, which the table does not tell apart",
                );
                output.remark(&format!("{why}: {}", combined.repeated.join(", ")));
            }
            output.result(&json!(combined), || {
                format!(
                    "{}: {} ({} × {})",
                    lang.pick("저장됨", "written"),
                    combined.file,
                    combined.rows,
                    combined.columns
                )
            });
        }
    }
    Ok(Ended::Done)
}

/// `gpt-4o.csv` has `gpt-4o.comparability.csv` beside it: what the proposed name says behind the report's id.
fn beside_of(file: &Path, id: &str, proposed: &str) -> PathBuf {
    file.with_extension(
        proposed
            .strip_prefix(id)
            .unwrap_or(proposed)
            .trim_start_matches('.'),
    )
}

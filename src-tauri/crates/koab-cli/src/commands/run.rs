//! `koab run`.

use super::{judge_plan, levels, on_ctrl_c, repetitions, table};
use crate::Ended;
use crate::activity_progress;
use crate::args::ProtocolArg;
use crate::args::run::{CacheModeArg, Concurrency, Effort, RunArgs};
use crate::lang::Lang;
use crate::output::{Output, columns};
use crate::progress::RunProgress;
use koab_api::local_run::LocalSettings;
use koab_api::options::{CacheMode, EvaluateOptions, JudgeChoice, RunChoice, RunOptions};
use koab_api::otlp::{OtlpOptions, SpanDelivery};
use koab_api::{ActivityKind, Api, Estimate, JudgesFrom, Protocol, RunEnd, RunOutcome, Spending, WireError};
use serde_json::{Value, json};
use std::sync::Arc;

pub(crate) async fn run(api: &Api, args: RunArgs, output: Output) -> Result<Ended, WireError> {
    if args.otlp_content && !args.otlp && args.otlp_endpoint.is_none() {
        return Err(WireError::bad_request(
            "--otlp-content needs a collector; add --otlp or --otlp-endpoint",
        ));
    }
    let options = options(&args)?;
    if args.dry_run {
        // What a run in write mode lacks is part of what it would take.
        api.check_services(&options).await?;
        return dry_run(api, &options, &args.judge_models, output);
    }
    // A judge that cannot be asked is known now, and not after the run has cost what it costs.
    let (judges, judge_base_url, judge_local) = judges(api, &args)?;
    api.check_judges(&judges, judge_base_url.as_deref(), &judge_local)
        .await?;
    let caps = options.caps();
    api.check_judge_caps(&judges, &caps)?;
    let cancel = on_ctrl_c();
    let progress = Arc::new(RunProgress::new(output.quiet, output.lang));
    let running = api.run(options, progress, cancel.clone());
    let end = activity_progress::during(api, output, &[ActivityKind::ModelConversion], running).await?;
    if let Some(spans) = end.spans.as_ref().filter(|spans| spans.lost > 0) {
        output.remark(&lost(spans, output));
    }
    let mut document = json!({ "run": end });
    let mut text = summary(&end, output);
    let mut judges_stopped = false;
    if args.evaluate && end.outcome == RunOutcome::Completed {
        let judges = if judges.is_empty() {
            JudgeChoice::Nobody
        } else {
            JudgeChoice::Models {
                ids: judges,
                base_url: judge_base_url,
            }
        };
        let folder = end.folder.clone().unwrap_or_default();
        let options = EvaluateOptions {
            judges,
            judge_local,
            caps: caps.left_after(end.spending.as_ref()),
            ..EvaluateOptions::published(RunChoice::Run(folder))
        };
        let scored = super::evaluate::scored(api, options, output, &cancel).await?;
        judges_stopped = scored.stopped;
        for view in scored.reports {
            text.push_str(&format!(
                "\n{}",
                table::report(&view, repetitions::known(api, &view.id).is_some(), output.lang)
            ));
            document["reports"] = match document["reports"].take() {
                Value::Array(mut list) => {
                    list.push(json!(view));
                    Value::Array(list)
                }
                _ => json!([view]),
            };
        }
    }
    output.result(&document, || text);
    match end.outcome {
        RunOutcome::Completed if end.failed == 0 && !judges_stopped => Ok(Ended::Done),
        RunOutcome::Completed | RunOutcome::BudgetSpent => Ok(Ended::SomeFailed),
        RunOutcome::Cancelled => Ok(Ended::Cancelled),
        RunOutcome::Failed => {
            output.sentence(&output.lang.said(&end.reason.unwrap_or_default()));
            Ok(Ended::NotDone)
        }
    }
}

/// Who judges: those that are named, else for a run that goes on those that judged it before, since their answers are kept.
fn judges(api: &Api, args: &RunArgs) -> Result<(Vec<String>, Option<String>, LocalSettings), WireError> {
    if let Some(run) = args
        .resume
        .as_ref()
        .filter(|_| args.evaluate && args.judge_models.is_empty())
    {
        let known = api.run_judges(run)?;
        if known.from != JudgesFrom::Settings {
            return Ok((
                known.judges,
                known.judge_base_url,
                known.judge_local.unwrap_or_default(),
            ));
        }
    }
    let local = args.judge_local.settings();
    Ok((args.judge_models.clone(), args.judge_base_url.clone(), local))
}

fn options(args: &RunArgs) -> Result<RunOptions, WireError> {
    Ok(RunOptions {
        pack: args.pack.clone(),
        base_url: args.base_url.clone(),
        levels: levels(&args.levels)?,
        tasks: args.tasks.clone(),
        protocol: match args.protocol {
            ProtocolArg::Leaderboard => Protocol::Leaderboard,
            ProtocolArg::Corrected => Protocol::Corrected,
        },
        repetitions: args.repetitions,
        max_steps: args.max_steps,
        timeout_s: args.timeout,
        full_rollout: args.full_rollout,
        temperature: args.temperature,
        max_tokens: args.max_tokens,
        effort: args.effort.map(|effort| {
            match effort {
                Effort::Low => "low",
                Effort::Medium => "medium",
                Effort::High => "high",
            }
            .to_owned()
        }),
        seed: args.seed,
        concurrency: match args.concurrency {
            Concurrency::Auto => None,
            Concurrency::Fixed(n) => Some(n),
        },
        save_logs: !args.no_save_logs,
        resume: args.resume.clone(),
        max_cost: args.max_cost,
        max_total_tokens: args.max_total_tokens,
        max_cost_per_day: args.max_cost_per_day,
        max_total_tokens_per_day: args.max_total_tokens_per_day,
        otlp: (args.otlp || args.otlp_endpoint.is_some()).then(|| OtlpOptions {
            endpoint: args.otlp_endpoint.clone(),
            content: args.otlp_content,
        }),
        local: args.local.settings(),
        cache_mode: match args.cache_mode {
            CacheModeArg::Read => CacheMode::Read,
            CacheModeArg::Write => CacheMode::Write,
        },
        without_keys: args.without_keys,
        cache_snapshot: args.cache_snapshot.clone(),
        with_overlay: args.with_overlay,
        misses_of: args.misses_of.clone(),
        // The id only tells runs of one process apart, and this process makes one.
        ..RunOptions::published("cli", &model(args))
    })
}

/// The model's id; `--use-local` is short for `local/` in front of it.
fn model(args: &RunArgs) -> String {
    let given = args.model.as_deref().unwrap_or_default();
    if !args.use_local || given.is_empty() {
        return given.to_owned();
    }
    local_id(given)
}

/// The id of a model of this disk. A folder or file is named by its full path: a run must be found again from elsewhere.
pub(super) fn local_id(given: &str) -> String {
    let name = match given.split_once('/') {
        Some((provider, name)) if provider.eq_ignore_ascii_case("local") => name,
        _ => given,
    };
    let path = std::path::Path::new(name);
    match path.exists().then(|| path.canonicalize()) {
        Some(Ok(path)) => format!("local/{}", path.display()),
        _ => format!("local/{name}"),
    }
}

fn dry_run(api: &Api, options: &RunOptions, judges: &[String], output: Output) -> Result<Ended, WireError> {
    let plan = api.dry_run(options, judges)?;
    output.result(&plan, || {
        let lang = output.lang;
        let mut rows: Vec<Vec<String>> = Vec::new();
        for l in &plan.levels {
            let missing = if l.golden_missing.is_empty() {
                "-".to_owned()
            } else {
                l.golden_missing.join(", ")
            };
            let mut row = vec![
                l.level.to_string(),
                l.tasks.to_string(),
                l.golden_calls.to_string(),
            ];
            row.extend(expected(l.estimate.as_ref()));
            row.push(missing);
            rows.push(row);
        }
        let mut from = String::new();
        if let Some(total) = &plan.estimate {
            let mut row = vec![lang.pick("합계", "all").to_owned(), String::new(), String::new()];
            row.extend(expected(Some(total)));
            row.push(String::new());
            rows.push(row);
            from = format!("\n{}: {}\n", lang.pick("추정 근거", "estimated from"), total.from);
            if total.usd.is_none() {
                from.push_str(lang.pick(
                    "이 모델의 가격을 모릅니다. `koab models prices --edit`로 추가하세요.\n",
                    "the price of this model is not known; add it with `koab models prices --edit`\n",
                ));
            }
        }
        if !plan.judges.is_empty() {
            from.push_str(&format!(
                "\n{}:\n{}",
                lang.pick(
                    "심판 (공개 실행의 평균 질문 수 기준)",
                    "judges, by the questions of the published runs",
                ),
                judge_plan::judges(&plan.judges, lang)
            ));
        }
        let header = [
            lang.pick("레벨", "level"),
            lang.pick("과제", "tasks"),
            lang.pick("정답 호출", "golden calls"),
            lang.pick("모델 호출", "model calls"),
            lang.pick("토큰", "tokens"),
            lang.pick("비용", "cost"),
            lang.pick("분", "minutes"),
            lang.pick(
                "기록된 응답이 없는 과제",
                "tasks without a recorded response for a golden call",
            ),
        ];
        format!(
            "{}: {}  {}: {}\n{}: {}\n\n{}{from}",
            lang.pick("팩", "pack"),
            plan.pack,
            lang.pick("모델", "model"),
            plan.model,
            lang.pick("시도", "attempts"),
            plan.attempts,
            columns(&header, &rows),
        )
    });
    Ok(Ended::Done)
}

fn summary(end: &RunEnd, output: Output) -> String {
    let lang = output.lang;
    let how = match end.outcome {
        RunOutcome::Completed => lang.pick("완료", "completed"),
        RunOutcome::Cancelled => lang.pick(
            "취소됨 (지금까지의 결과는 저장됨)",
            "cancelled (everything so far is kept)",
        ),
        RunOutcome::Failed => lang.pick("중단됨", "stopped"),
        RunOutcome::BudgetSpent => lang.pick(
            "예산 소진으로 멈춤 (지금까지의 결과는 저장됨)",
            "stopped before the budget is passed (everything so far is kept)",
        ),
    };
    let mut text = format!(
        "{how}: {}/{} {}, {} {}, {:.1} s\n",
        end.done,
        end.planned,
        lang.pick("시도", "attempts"),
        end.failed,
        lang.pick("기술적 실패", "failed for technical reasons"),
        end.seconds,
    );
    if end.cut_off > 0 {
        let n = end.cut_off;
        text.push_str(&match lang {
            Lang::Ko => format!("출력 한도에서 잘린 답변: {n}개 (--max-tokens로 한도를 올리세요)\n"),
            Lang::En => format!("answers cut off at the output limit: {n} (raise it with --max-tokens)\n"),
        });
    }
    let cache = &end.cache;
    text.push_str(&format!(
        "{}: {} {}, {} {}, {} {}, {} {}\n",
        lang.pick("도구 호출", "tool calls"),
        cache.hit,
        lang.pick("기록된 응답", "answered by a record"),
        cache.miss,
        lang.pick("기록 없음", "not recorded"),
        cache.injected,
        lang.pick("주입된 오류", "injected failures"),
        cache.refused,
        lang.pick("잘못된 호출", "faulty"),
    ));
    if cache.live + cache.overlay > 0 {
        text.push_str(&format!(
            "{}: {} {}, {} {}\n",
            lang.pick("기록에 없던 호출", "not recorded"),
            cache.live,
            lang.pick("실제 서비스에 물음", "asked of the real service"),
            cache.overlay,
            lang.pick("전에 저장한 응답", "answered by what was kept of it"),
        ));
    }
    if let Some(spending) = &end.spending {
        text.push_str(&spent(spending, output));
    }
    if let Some(folder) = &end.folder {
        text.push_str(&format!("{}: {folder}\n", lang.pick("로그", "logs")));
    }
    if end.outcome == RunOutcome::BudgetSpent
        && let Some(reason) = &end.reason
    {
        text.push_str(&format!("{}\n", output.lang.said(reason)));
    }
    if let Some(resume) = &end.resume {
        text.push_str(&format!("{}: {resume}\n", lang.pick("이어서 실행", "go on with")));
    }
    text
}

/// The one warning about a collector that did not take everything.
fn lost(spans: &SpanDelivery, output: Output) -> String {
    let SpanDelivery {
        endpoint,
        sent,
        lost,
        reason,
    } = spans;
    let (all, reason) = (
        sent + lost,
        output.lang.said(reason.as_deref().unwrap_or_default()),
    );
    match output.lang {
        Lang::Ko => format!("스팬 {all}개 중 {lost}개가 {endpoint}에 도착하지 못했습니다: {reason}"),
        Lang::En => format!("{lost} of {all} spans did not reach {endpoint}: {reason}"),
    }
}

pub(super) fn spent(spending: &Spending, output: Output) -> String {
    let lang = output.lang;
    let usage = spending.usage;
    let cost = match (spending.usd, &spending.note) {
        (Some(usd), None) => format!("${usd:.4}"),
        (Some(usd), Some(note)) => format!("${usd:.4} ({note})"),
        (None, note) => format!("— ({})", note.as_deref().unwrap_or_default()),
    };
    format!(
        "{}: {} + {}, {}: {cost}\n",
        lang.pick("토큰 (입력 + 출력)", "tokens (prompt + completion)"),
        usage.prompt_tokens,
        usage.completion_tokens,
        lang.pick("비용", "cost"),
    )
}

/// The estimate's columns: calls, tokens, money, minutes.
fn expected(estimate: Option<&Estimate>) -> [String; 4] {
    let Some(estimate) = estimate else {
        return ["-"; 4].map(str::to_owned);
    };
    let tokens = estimate.prompt_tokens + estimate.completion_tokens;
    [
        format!("{:.0}", estimate.calls),
        format!("{tokens:.0}"),
        estimate
            .usd
            .map_or_else(|| "—".to_owned(), |usd| format!("${usd:.3}")),
        format!("{:.1}", estimate.minutes),
    ]
}

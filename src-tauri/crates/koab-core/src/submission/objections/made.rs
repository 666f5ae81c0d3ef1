//! How the run was made, and whether all of it was.

use super::evidence::Evidence;
use super::{ObjectionCode, ObjectionSeverity, Objections, Told, within};
use crate::comparability::{LOST_COMPARABLE, PUBLISHED_TASKS_A_LEVEL, RunSettings, Said};
use crate::protocol::Protocol;
use crate::submission::files::paths;

pub(super) fn check(evidence: &Evidence<'_>, found: &mut Objections) {
    let facts = &evidence.submission.facts;
    match facts.settings.get() {
        Ok(settings) => started(settings, found),
        Err(reason) => {
            let reason = reason.to_owned();
            let said = Said::SettingsUnknown { reason };
            found.asked(ObjectionCode::NotKnown, place("settings"), said, Said::RunHere {});
        }
    }
    coverage(evidence, found);
    attempts(evidence, found);
}

fn place(field: &str) -> String {
    within(paths::SUBMISSION, &format!("facts.{field}"))
}

fn started(settings: &RunSettings, found: &mut Objections) {
    use ObjectionSeverity::{Asked, Blocks};
    let published = RunSettings::published();
    let with = |option: String| Said::RunWith { option };
    let without = |option: &str| Said::RunWithout {
        option: option.to_owned(),
    };
    if settings.protocol != Protocol::Leaderboard {
        let remedy = with("`--protocol leaderboard`".to_owned());
        let at = place("settings.protocol");
        found.blocks(
            ObjectionCode::OtherProtocol,
            at,
            Said::CorrectedProtocol {},
            remedy,
        );
    }
    if settings.repetitions != published.repetitions {
        let said = Said::Repetitions {
            count: settings.repetitions.to_string(),
        };
        let remedy = with(format!("`--repetitions {}`", published.repetitions));
        found.blocks(
            ObjectionCode::Repetitions,
            place("settings.repetitions"),
            said,
            remedy,
        );
    }
    let mut other = |departs: bool, field: &str, severity, said: Said, remedy: Said| {
        if departs {
            let at = place(&format!("settings.{field}"));
            found.push(ObjectionCode::OtherSettings, severity, at, said, remedy);
        }
    };
    other(
        settings.max_steps != published.max_steps,
        "max_steps",
        Blocks,
        Said::Steps {
            steps: settings.max_steps.to_string(),
        },
        with(format!("`--max-steps {}`", published.max_steps)),
    );
    other(
        settings.full_rollout,
        "full_rollout",
        Blocks,
        Said::FullRollout {},
        without("`--full-rollout`"),
    );
    other(
        settings.constrained,
        "constrained",
        Blocks,
        Said::Constrained {},
        without("`--constrained`"),
    );
    other(
        settings.timeout_s != published.timeout_s,
        "timeout_s",
        Asked,
        Said::TimeLimit {
            seconds: settings.timeout_s.to_string(),
        },
        with(format!("`--timeout {}`", published.timeout_s)),
    );
    other(
        settings.temperature != published.temperature,
        "temperature",
        Asked,
        Said::Temperature {
            value: settings.temperature.to_string(),
        },
        with(format!("`--temperature {}`", published.temperature)),
    );
    other(
        settings.max_tokens != published.max_tokens,
        "max_tokens",
        Asked,
        Said::OutputLimit {
            tokens: settings.max_tokens.to_string(),
        },
        with(format!("`--max-tokens {}`", published.max_tokens)),
    );
    let effort = settings.effort.clone().unwrap_or_default();
    // The one that a published run had passes.
    other(
        !effort.is_empty() && effort != "low",
        "effort",
        Asked,
        Said::Effort { effort },
        without("`--effort`"),
    );
}

fn coverage(evidence: &Evidence<'_>, found: &mut Objections) {
    let (mut no_log, mut not_scored) = (Vec::new(), Vec::new());
    for (level, all) in PUBLISHED_TASKS_A_LEVEL {
        let log = evidence.logs.iter().find(|log| log.level == level);
        match log {
            None => no_log.push(level.as_str()),
            Some(log) if log.log.total() < all as usize => {
                let said = Told::FewerInLog {
                    found: log.log.total().to_string(),
                    all: all.to_string(),
                };
                found.blocks(ObjectionCode::FewerTasks, &log.path, said, Said::RunAllTasks {});
            }
            Some(_) => {}
        }
        let Some((path, report)) = &evidence.report else {
            continue;
        };
        let report = &report.report;
        match report.level(level).and_then(|level| level.evaluated_tasks) {
            None => not_scored.push(level.as_str()),
            Some(count)
                if count < all as usize
                    && report.sample_size.is_none()
                    && log.is_some_and(|log| log.log.total() >= all as usize) =>
            {
                let said = Said::TasksLeftOut {
                    missing: (all as usize - count).to_string(),
                    all: all.to_string(),
                };
                let at = within(path, level.as_str());
                found.blocks(ObjectionCode::FewerTasks, at, said, Said::RunAllTasks {});
            }
            Some(_) => {}
        }
    }
    let code = ObjectionCode::MissingLevels;
    if !no_log.is_empty() {
        let levels = no_log.join(", ");
        let remedy = Said::RunLevels {
            levels: levels.clone(),
        };
        found.blocks(code, paths::LOGS, Told::LogsMissing { levels }, remedy);
    }
    if let Some((path, _)) = evidence.report.as_ref().filter(|_| !not_scored.is_empty()) {
        let levels = not_scored.join(", ");
        let remedy = Said::RunLevels {
            levels: levels.clone(),
        };
        found.blocks(code, path, Said::LevelsLeftOut { levels }, remedy);
    }
}

fn attempts(evidence: &Evidence<'_>, found: &mut Objections) {
    let submission = &evidence.submission;
    if let Ok(counts) = submission.facts.attempts.get() {
        if counts.done < counts.planned {
            let said = Said::Unfinished {
                done: counts.done.to_string(),
                planned: counts.planned.to_string(),
            };
            found.blocks(
                ObjectionCode::IncompleteRun,
                place("attempts"),
                said,
                Said::Resume {},
            );
        }
        if counts.failed > 0 {
            let said = Said::Failed {
                failed: counts.failed.to_string(),
                planned: counts.planned.to_string(),
            };
            // As few as cannot part two models are a question, more are an answer.
            let few = f64::from(counts.failed) <= LOST_COMPARABLE * f64::from(counts.planned);
            let severity = if few {
                ObjectionSeverity::Asked
            } else {
                ObjectionSeverity::Blocks
            };
            let code = ObjectionCode::TechnicalFailures;
            found.push(code, severity, place("attempts"), said, Said::RunAgain {});
        }
    }
    if let Some(status) = submission
        .run_status
        .clone()
        .filter(|status| status != "completed")
    {
        let at = within(paths::SUBMISSION, "run_status");
        found.blocks(
            ObjectionCode::IncompleteRun,
            at,
            Told::NotCompleted { status },
            Said::Resume {},
        );
    }
}

//! Against the published leaderboard: what departs from how its runs were made and scored.

use super::said::Said;
use super::{
    Aspect, AttemptCounts, CallFacts, CallsBasis, Fact, Facts, Finding, Grade, Judgement, LevelTasks,
    PUBLISHED_JUDGE, PUBLISHED_RECORDS, PUBLISHED_TASKS, PUBLISHED_TASKS_A_LEVEL, RecordingsFrom,
    RunSettings, Scoring, percent, published_tool,
};
use crate::judge::family;
use crate::level::Level;
use crate::protocol::Protocol;

/// Share of attempts or tasks that may be lost while a comparison stands: 5 of the 91.
///
/// Lost is what met a call without a recorded answer, failed for technical reasons, or was left out. With an exact `McNemar`
/// test over 91 pairs it takes 6 tasks that all changed the same way to tell two runs apart at 0.05 (2 · ½⁶ = 0.031), so
/// what happens to 5 cannot do it by itself.
pub const LOST_COMPARABLE: f64 = 5.0 / 91.0;

/// Share of attempts that may have met a missing record before the score says more of the recordings than of the model.
///
/// Had every published model only had the calls of the other published models to draw on, 30.4 % of its tasks would have
/// met one (all calls are covered for 69.6 % of 15 × 91): a run that lost more was served worse than a typical new model.
pub const LOST_LIMITED: f64 = 0.304;

/// Share of looked-up calls that found an answer, from which on misses weigh nothing.
///
/// The published runs looked up 99 on average, so this is 5 of them again. Held against the published recordings 788 of 790
/// of their own calls are answered, and 116 of 118 in the worst run.
pub const HIT_RATE_COMPARABLE: f64 = 0.95;

/// The same share below which nothing is comparable.
///
/// 62.8 % of the published models' calls were also made by another one, which is what a new model can expect of the
/// recordings.
pub const HIT_RATE_LIMITED: f64 = 0.628;

/// How far a run or report can be compared with the published leaderboard.
pub fn with_leaderboard(facts: &Facts) -> Judgement {
    let mut found = Vec::new();
    data(facts, &mut found);
    match facts.settings.get() {
        Ok(settings) => started(settings, &mut found),
        Err(reason) => limited(
            &mut found,
            Aspect::Settings,
            Said::SettingsUnknown {
                reason: reason.to_owned(),
            },
            Said::RunHere {},
        ),
    }
    recordings(facts, &mut found);
    coverage(&facts.tasks, &mut found);
    if let Ok(attempts) = facts.attempts.get() {
        attempted(*attempts, &mut found);
    }
    if let Some(scoring) = &facts.scoring {
        scored(scoring, &facts.model, &mut found);
    }
    Judgement::of(found)
}

/// How misses weigh: by the calls that found no answer and by the attempts that met one, whichever is worse.
pub(super) fn grade_of_misses(calls: &CallFacts) -> Grade {
    let whole = calls.whole();
    let rate = whole.answered_rate().unwrap_or(1.0);
    if whole.lost() > LOST_LIMITED || rate < HIT_RATE_LIMITED {
        Grade::NotComparable
    } else if whole.lost() > LOST_COMPARABLE || rate < HIT_RATE_COMPARABLE {
        Grade::Limited
    } else {
        Grade::Comparable
    }
}

/// What was lost of a whole: nothing, little enough, or too much.
fn grade_of_lost(lost: u32, all: u32) -> Grade {
    if f64::from(lost) <= LOST_COMPARABLE * f64::from(all) {
        Grade::Limited
    } else {
        Grade::NotComparable
    }
}

fn data(facts: &Facts, found: &mut Vec<Finding>) {
    let pack = pack_label(facts);
    match facts.tasks_sha256.get() {
        Ok(sha256) if sha256 == PUBLISHED_TASKS => {}
        Ok(_) => not_comparable(
            found,
            Aspect::Tasks,
            Said::OtherTasks { pack },
            Said::UsePublished {},
        ),
        Err(reason) => limited(
            found,
            Aspect::Tasks,
            Said::TasksUnknown {
                reason: reason.to_owned(),
            },
            Said::RunHere {},
        ),
    }
    match facts.tools.get() {
        Ok(tools) => {
            let other: Vec<&str> = tools
                .iter()
                .filter(|(name, sha256)| published_tool(name) != Some(sha256.as_str()))
                .map(|(name, _)| name.as_str())
                .collect();
            if !other.is_empty() {
                let tools = other.join(", ");
                not_comparable(
                    found,
                    Aspect::Tools,
                    Said::OtherTools { tools },
                    Said::UsePublished {},
                );
            }
        }
        Err(reason) => limited(
            found,
            Aspect::Tools,
            Said::ToolsUnknown {
                reason: reason.to_owned(),
            },
            Said::RunHere {},
        ),
    }
}

/// What changes what a model can do makes the numbers other ones; what moves them makes them limited.
fn started(settings: &RunSettings, found: &mut Vec<Finding>) {
    let published = RunSettings::published();
    let again = |option: String| Said::RunWith { option };
    if settings.protocol != Protocol::Leaderboard {
        let remedy = again("`--protocol leaderboard`".to_owned());
        not_comparable(found, Aspect::Protocol, Said::CorrectedProtocol {}, remedy);
    }
    if settings.max_steps != published.max_steps {
        let steps = settings.max_steps.to_string();
        let remedy = again(format!("`--max-steps {}`", published.max_steps));
        not_comparable(found, Aspect::Settings, Said::Steps { steps }, remedy);
    }
    if settings.full_rollout {
        let option = "`--full-rollout`".to_owned();
        not_comparable(
            found,
            Aspect::Settings,
            Said::FullRollout {},
            Said::RunWithout { option },
        );
    }
    if settings.constrained {
        let option = "`--constrained`".to_owned();
        not_comparable(
            found,
            Aspect::Settings,
            Said::Constrained {},
            Said::RunWithout { option },
        );
    }
    if settings.timeout_s != published.timeout_s {
        let seconds = settings.timeout_s.to_string();
        let remedy = again(format!("`--timeout {}`", published.timeout_s));
        limited(found, Aspect::Settings, Said::TimeLimit { seconds }, remedy);
    }
    if settings.repetitions != published.repetitions {
        let count = settings.repetitions.to_string();
        let remedy = again(format!("`--repetitions {}`", published.repetitions));
        limited(found, Aspect::Settings, Said::Repetitions { count }, remedy);
    }
    if settings.temperature != published.temperature {
        let value = settings.temperature.to_string();
        let remedy = again(format!("`--temperature {}`", published.temperature));
        limited(found, Aspect::Settings, Said::Temperature { value }, remedy);
    }
    if settings.max_tokens != published.max_tokens {
        let tokens = settings.max_tokens.to_string();
        let remedy = again(format!("`--max-tokens {}`", published.max_tokens));
        limited(found, Aspect::Settings, Said::OutputLimit { tokens }, remedy);
    }
    // The one that a published run had passes.
    if let Some(effort) = settings.effort.clone().filter(|effort| effort != "low") {
        let option = "`--effort`".to_owned();
        limited(
            found,
            Aspect::Settings,
            Said::Effort { effort },
            Said::RunWithout { option },
        );
    }
}

fn recordings(facts: &Facts, found: &mut Vec<Finding>) {
    let pack = pack_label(facts);
    let aspect = Aspect::Recordings;
    let snapshot = facts
        .cache
        .value
        .as_ref()
        .filter(|cache| cache.source == RecordingsFrom::Snapshot);
    if let Some(cache) = snapshot {
        if cache.sha256.as_deref() != Some(PUBLISHED_RECORDS) {
            let name = cache.snapshot.clone().unwrap_or_else(|| "?".to_owned());
            limited(found, aspect, Said::FromSnapshot { name }, Said::SameTime {});
        }
    } else {
        match facts.records_sha256.get() {
            Ok(sha256) if sha256 == PUBLISHED_RECORDS => {}
            Ok(_) => limited(found, aspect, Said::OtherRecords { pack }, Said::UsePublished {}),
            Err(reason) => limited(
                found,
                aspect,
                Said::RecordsUnknown {
                    reason: reason.to_owned(),
                },
                Said::RunHere {},
            ),
        }
    }
    let calls = match facts.calls.get() {
        Ok(calls) if calls.basis == CallsBasis::Recorded => calls,
        calls => {
            let reason = calls
                .err()
                .map_or_else(|| Said::MadeElsewhere {}.to_string(), str::to_owned);
            limited(found, aspect, Said::CallsUnknown { reason }, Said::RunHere {});
            return;
        }
    };
    let whole = calls.whole();
    if whole.miss > 0 {
        let [miss, asked, touched, attempts] =
            [whole.miss, whole.asked(), whole.touched, whole.attempts].map(|count| count.to_string());
        let rate = percent(whole.answered_rate().unwrap_or(0.0));
        let grade = grade_of_misses(calls);
        let said = match grade {
            Grade::Comparable => Said::FewMisses {
                miss,
                asked,
                touched,
                attempts,
            },
            Grade::Limited => Said::SomeMisses {
                miss,
                asked,
                rate,
                touched,
                attempts,
            },
            Grade::NotComparable => Said::ManyMisses {
                miss,
                asked,
                rate,
                touched,
                attempts,
            },
        };
        push(found, aspect, grade, said, Some(Said::FillMisses {}));
    }
    let outside = whole.live + whole.overlay;
    if outside > 0 {
        let (count, asked) = (outside.to_string(), whole.asked().to_string());
        limited(
            found,
            aspect,
            Said::LiveAnswers { count, asked },
            Said::SameTime {},
        );
    }
}

fn coverage(tasks: &Fact<Vec<LevelTasks>>, found: &mut Vec<Finding>) {
    let aspect = Aspect::Coverage;
    let levels = match tasks.get() {
        Ok(levels) => levels,
        Err(reason) => {
            let said = Said::CoverageUnknown {
                reason: reason.to_owned(),
            };
            return limited(found, aspect, said, Said::BringRun {});
        }
    };
    let run = |level: Level| levels.iter().find(|one| one.level == level && one.count > 0);
    let absent: Vec<&str> = PUBLISHED_TASKS_A_LEVEL
        .iter()
        .filter(|(level, _)| run(*level).is_none())
        .map(|(level, _)| level.as_str())
        .collect();
    if !absent.is_empty() {
        let levels = absent.join(", ");
        let remedy = Said::RunLevels {
            levels: levels.clone(),
        };
        limited(found, aspect, Said::LevelsLeftOut { levels }, remedy);
    }
    let (mut missing, mut all) = (0, 0);
    for (level, published) in PUBLISHED_TASKS_A_LEVEL {
        if let Some(run) = run(level) {
            all += published;
            missing += published.saturating_sub(run.count);
        }
    }
    if missing > 0 {
        let grade = grade_of_lost(missing, all);
        let said = Said::TasksLeftOut {
            missing: missing.to_string(),
            all: all.to_string(),
        };
        push(found, aspect, grade, said, Some(Said::RunAllTasks {}));
    }
}

fn attempted(attempts: AttemptCounts, found: &mut Vec<Finding>) {
    let AttemptCounts {
        planned,
        done,
        failed,
    } = attempts;
    if done < planned {
        let said = Said::Unfinished {
            done: done.to_string(),
            planned: planned.to_string(),
        };
        let grade = grade_of_lost(planned - done, planned);
        push(found, Aspect::Attempts, grade, said, Some(Said::Resume {}));
    }
    if failed > 0 {
        let said = Said::Failed {
            failed: failed.to_string(),
            planned: planned.to_string(),
        };
        let grade = grade_of_lost(failed, planned);
        push(found, Aspect::Attempts, grade, said, Some(Said::RunAgain {}));
    }
}

fn scored(scoring: &Scoring, model: &str, found: &mut Vec<Finding>) {
    if scoring.scorer != Protocol::Leaderboard {
        not_comparable(
            found,
            Aspect::Scorer,
            Said::CorrectedScorer {},
            Said::ScoreAsPublished {},
        );
    }
    let aspect = Aspect::Judges;
    let judges = match scoring.judges.get() {
        Ok(judges) => judges,
        Err(reason) => {
            let said = Said::JudgesUnknown {
                reason: reason.to_owned(),
            };
            return limited(found, aspect, said, Said::ScoreWithPublishedJudge {});
        }
    };
    match judges.as_slice() {
        [] => return limited(found, aspect, Said::NoJudge {}, Said::ScoreWithPublishedJudge {}),
        [judge] if judge == PUBLISHED_JUDGE => {}
        [judge] if is_published_judge(judge) => {
            let judge = judge.clone();
            push(
                found,
                aspect,
                Grade::Comparable,
                Said::SameJudgeElsewhere { judge },
                None,
            );
        }
        judges => {
            let judges = judges.join(", ");
            limited(
                found,
                aspect,
                Said::OtherJudges { judges },
                Said::ScoreWithPublishedJudge {},
            );
        }
    }
    if scoring.votes != 3 {
        let votes = scoring.votes.to_string();
        limited(found, aspect, Said::OtherVotes { votes }, Said::ScoreWithVotes {});
    }
    if scoring.unscored > 0 {
        let count = scoring.unscored.to_string();
        limited(found, aspect, Said::Unscored { count }, Said::ScoreAgain {});
    }
    for note in own_family(judges, model) {
        push(found, aspect, Grade::Comparable, note, None);
    }
}

/// The leaderboard's judge, whoever serves it: another host, or its name with a date.
pub(crate) fn is_published_judge(judge: &str) -> bool {
    let model = |id: &str| id.rsplit('/').next().unwrap_or_default().to_lowercase();
    let (judge, published) = (model(judge), model(PUBLISHED_JUDGE));
    judge == published
        || judge
            .strip_prefix(&published)
            .is_some_and(|rest| rest.starts_with("-20"))
}

/// Judges that grade a model of their own maker. The leaderboard has it too, for the models of `OpenAI`, so it is a note.
fn own_family(judges: &[String], model: &str) -> Vec<Said> {
    let Some(maker) = family(model) else {
        return Vec::new();
    };
    let own = judges.iter().filter(|judge| family(judge) == Some(maker));
    own.map(|judge| Said::OwnFamily {
        judge: judge.clone(),
        maker: maker.to_owned(),
    })
    .collect()
}

fn pack_label(facts: &Facts) -> String {
    facts
        .pack
        .value
        .as_ref()
        .map_or_else(|| "?".to_owned(), super::PackName::label)
}

fn limited(found: &mut Vec<Finding>, aspect: Aspect, reason: Said, remedy: Said) {
    push(found, aspect, Grade::Limited, reason, Some(remedy));
}

fn not_comparable(found: &mut Vec<Finding>, aspect: Aspect, reason: Said, remedy: Said) {
    push(found, aspect, Grade::NotComparable, reason, Some(remedy));
}

pub(super) fn push(
    found: &mut Vec<Finding>,
    aspect: Aspect,
    grade: Grade,
    reason: Said,
    remedy: Option<Said>,
) {
    found.push(Finding {
        aspect,
        grade,
        reason: reason.to_string(),
        remedy: remedy.map(|remedy| remedy.to_string()).unwrap_or_default(),
    });
}

#[cfg(test)]
mod tests;

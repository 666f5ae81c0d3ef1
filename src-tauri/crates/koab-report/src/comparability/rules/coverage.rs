//! Rules on levels, tasks and attempts that were left out.

use super::rule::{Departure, Method, Rule, Topic, known, when};
use crate::comparability::conditions::{level_states, levels_that_differ};
use crate::comparability::{
    Aspect, COMPARE_COMMON, Conditions, Facts, FindingCode, Grade, LOST_COMPARABLE, LevelTasks,
    PUBLISHED_TASKS_A_LEVEL, RESUME, RUN_ALL_TASKS, RUN_HERE,
};
use koab_core::level::Level;
use koab_core::run_record::AttemptCounts;
use koab_core::sentence::Sentence;
use koab_core::{say, text};
use std::collections::BTreeSet;

pub(super) const COVERAGE: Topic = Topic {
    aspect: Aspect::Coverage,
    place: "tasks",
    known: |facts| known(&facts.tasks),
    unknown: |reason| say!("which tasks were scored is not known: {reason}"),
    mend: text!("import the run's logs as well, or score the run here"),
    rules: &[
        Rule {
            code: FindingCode::MissingLevels,
            place: "tasks",
            method: Method::Text {
                grade: Grade::Limited,
                text: |facts| Some(levels(facts)),
                departs: absent_levels,
                differ: |one, other| {
                    let [one, other] = [one, other].map(levels);
                    say!("they have different levels: {one}; {other}")
                },
                alike: COMPARE_COMMON,
            },
        },
        Rule {
            code: FindingCode::FewerTasks,
            place: "tasks",
            method: Method::Measure {
                grade: Conditions::grade_of_tasks,
                departs: tasks_left_out,
                differ: |one, other| {
                    let (one, other) = (level_states(one), level_states(other));
                    let levels = named(levels_that_differ(&one, &other));
                    say!("they have different tasks of {levels}")
                },
                alike: COMPARE_COMMON,
            },
        },
    ],
    first_decides: false,
};

pub(super) const ATTEMPTS: Topic = Topic {
    aspect: Aspect::Attempts,
    place: "attempts",
    known: |facts| facts.attempts.value.map(|_| Ok(())),
    unknown: |reason| reason,
    mend: RUN_HERE,
    rules: &[
        Rule::alone(FindingCode::IncompleteRun, "attempts", |facts| {
            let AttemptCounts { planned, done, .. } = facts.attempts.value.unwrap_or_default();
            let reason = || say!("only {done} of {planned} attempts were made");
            lost(planned.saturating_sub(done), planned, reason, RESUME)
        }),
        Rule::alone(FindingCode::TechnicalFailures, "attempts", |facts| {
            let AttemptCounts { planned, failed, .. } = facts.attempts.value.unwrap_or_default();
            let reason =
                || say!("{failed} of {planned} attempts failed for technical reasons and count as lost");
            let remedy = text!("repeat them with `koab run --resume`, then score the run again");
            lost(failed, planned, reason, remedy)
        }),
        Rule::alone(FindingCode::Shortened, "attempts", |facts| {
            let shortened = facts.shortened;
            let reason = || {
                say!(
                    "{shortened} attempts did not fit the model's context, so the model saw only a part of their conversation"
                )
            };
            let remedy = text!("run it again with a larger --context");
            when(shortened > 0, Grade::Limited, reason, remedy)
        }),
    ],
    first_decides: false,
};

/// Departure for a number of lost tasks or attempts: none, limited, or not comparable.
fn lost(lost: u32, all: u32, reason: impl FnOnce() -> Sentence, remedy: &str) -> Vec<Departure> {
    let is_little = f64::from(lost) <= LOST_COMPARABLE * f64::from(all);
    let grade = if is_little { Grade::Limited } else { Grade::NotComparable };
    when(lost > 0, grade, reason, remedy)
}

/// Tasks of a level, if the level was run.
fn run<'a>(facts: &'a Facts, level: &Level) -> Option<&'a LevelTasks> {
    let mut levels = facts.tasks.value.iter().flatten();
    levels.find(|tasks| tasks.level == *level && tasks.count > 0)
}

fn named<'a>(levels: impl IntoIterator<Item = &'a Level>) -> String {
    let names: Vec<&str> = levels.into_iter().map(Level::as_str).collect();
    names.join(", ")
}

fn levels(facts: &Facts) -> String {
    let with_tasks = facts.tasks.value.iter().flatten().map(|tasks| &tasks.level);
    let with_tasks: BTreeSet<&Level> = with_tasks.filter(|level| run(facts, level).is_some()).collect();
    named(with_tasks)
}

fn absent_levels(facts: &Facts) -> Option<[Sentence; 2]> {
    let absent = PUBLISHED_TASKS_A_LEVEL.iter().filter(|(level, _)| run(facts, level).is_none());
    let levels = named(absent.map(|(level, _)| level));
    Some([levels_left_out(&levels), run_levels(&levels)])
}

/// Sentence that names the levels that are left out.
pub fn levels_left_out(levels: &str) -> Sentence {
    say!("levels are left out: {levels}")
}

/// Remedy: run and score the levels that are left out.
pub fn run_levels(levels: &str) -> Sentence {
    say!("run and score {levels} as well; until then compare single levels, not the composite score")
}

/// Sentence with the number of tasks that are left out of the levels that were run.
pub fn left_out(missing: u32, all: u32) -> Sentence {
    say!("{missing} of the {all} published tasks of these levels are left out")
}

fn tasks_left_out(facts: &Facts) -> Vec<Departure> {
    let (mut missing, mut all) = (0, 0);
    for (level, published) in PUBLISHED_TASKS_A_LEVEL {
        if let Some(run) = run(facts, &level) {
            all += published;
            missing += published.saturating_sub(run.count);
        }
    }
    lost(missing, all, || left_out(missing, all), RUN_ALL_TASKS)
}

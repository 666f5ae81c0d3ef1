//! One with the other: what two runs or reports differ in beside their models.

use super::leaderboard::{grade_of_misses, push};
use super::said::Said;
use super::{
    Aspect, CallFacts, CallsBasis, Fact, Facts, Finding, Grade, Judgement, LOST_COMPARABLE, LOST_LIMITED,
    LevelTasks, RecordingsFrom, RunSettings, Scoring, percent,
};
use crate::level::Level;
use std::collections::BTreeMap;

/// How far the numbers of two runs or reports can be held against each other. Nothing here asks whether either is like the
/// leaderboard's: two runs with the same odd settings are comparable.
pub fn between(one: &Facts, other: &Facts) -> Judgement {
    let mut found = Vec::new();
    scoring(one, other, &mut found);
    data(one, other, &mut found);
    settings(one, other, &mut found);
    recordings(one, other, &mut found);
    coverage(one, other, &mut found);
    Judgement::of(found)
}

/// Why figures that judges decide are not the same ones in both: known judges that differ, one sentence.
pub fn judges_differ(one: &Facts, other: &Facts) -> Option<String> {
    let mut found = Vec::new();
    let (one, other) = (one.scoring.as_ref()?, other.scoring.as_ref()?);
    let (first, second) = (one.judges.get().ok()?, other.judges.get().ok()?);
    judges(one, other, &mut found);
    let finding = found.into_iter().next().filter(|_| first != second)?;
    Some(finding.reason)
}

/// Both values, or a finding that says why one is not known.
fn both<'a, T>(
    one: &'a Fact<T>,
    other: &'a Fact<T>,
    aspect: Aspect,
    unknown: fn(String) -> Said,
    found: &mut Vec<Finding>,
) -> Option<(&'a T, &'a T)> {
    match (one.get(), other.get()) {
        (Ok(one), Ok(other)) => Some((one, other)),
        (Err(reason), _) | (_, Err(reason)) => {
            push(
                found,
                aspect,
                Grade::Limited,
                unknown(reason.to_owned()),
                Some(Said::RunHere {}),
            );
            None
        }
    }
}

fn scoring(one: &Facts, other: &Facts, found: &mut Vec<Finding>) {
    let (Some(one), Some(other)) = (&one.scoring, &other.scoring) else {
        // Runs that are not scored have no scores to part them.
        return;
    };
    if one.scorer != other.scorer {
        let said = Said::DifferScorer {
            one: one.scorer.to_string(),
            other: other.scorer.to_string(),
        };
        push(
            found,
            Aspect::Scorer,
            Grade::NotComparable,
            said,
            Some(Said::ScoreAlike {}),
        );
    }
    judges(one, other, found);
}

fn judges(one: &Scoring, other: &Scoring, found: &mut Vec<Finding>) {
    let unknown = |reason| Said::JudgesUnknown { reason };
    let Some((first, second)) = both(&one.judges, &other.judges, Aspect::Judges, unknown, found) else {
        return;
    };
    let mut differ = |said: Said| {
        push(
            found,
            Aspect::Judges,
            Grade::Limited,
            said,
            Some(Said::JudgeAlike {}),
        );
    };
    if first != second {
        let named = |judges: &[String]| match judges {
            [] => Said::Nobody {}.to_string(),
            judges => judges.join(", "),
        };
        return differ(Said::DifferJudges {
            one: named(first),
            other: named(second),
        });
    }
    if first.is_empty() {
        return;
    }
    if one.votes != other.votes {
        differ(Said::DifferVotes {
            one: one.votes.to_string(),
            other: other.votes.to_string(),
        });
    }
    if first.len() > 1 && one.aggregate != other.aggregate {
        differ(Said::DifferAggregate {
            one: one.aggregate.clone(),
            other: other.aggregate.clone(),
        });
    }
    let open = one.unscored.max(other.unscored);
    if open > 0 {
        let count = open.to_string();
        push(
            found,
            Aspect::Judges,
            Grade::Limited,
            Said::Unscored { count },
            Some(Said::ScoreAgain {}),
        );
    }
}

fn data(one: &Facts, other: &Facts, found: &mut Vec<Finding>) {
    let unknown = |reason| Said::TasksUnknown { reason };
    let tasks = both(
        &one.tasks_sha256,
        &other.tasks_sha256,
        Aspect::Tasks,
        unknown,
        found,
    );
    if let Some((first, second)) = tasks
        && first != second
    {
        let said = Said::DifferTasks {
            one: told(&one.pack, first),
            other: told(&other.pack, second),
        };
        push(
            found,
            Aspect::Tasks,
            Grade::NotComparable,
            said,
            Some(Said::RunAlike {}),
        );
    }
    let unknown = |reason| Said::ToolsUnknown { reason };
    if let Some((first, second)) = both(&one.tools, &other.tools, Aspect::Tools, unknown, found) {
        let tools = described_otherwise(first, second);
        if !tools.is_empty() {
            let tools = tools.join(", ");
            push(
                found,
                Aspect::Tools,
                Grade::NotComparable,
                Said::DifferTools { tools },
                Some(Said::RunAlike {}),
            );
        }
    }
}

/// Tools that both know under one name and other texts.
fn described_otherwise<'a>(
    one: &'a BTreeMap<String, String>,
    other: &BTreeMap<String, String>,
) -> Vec<&'a str> {
    let differs =
        |(name, sha256): &(&String, &String)| other.get(*name).is_some_and(|theirs| theirs != *sha256);
    one.iter()
        .filter(differs)
        .map(|(name, _)| name.as_str())
        .collect()
}

fn settings(one: &Facts, other: &Facts, found: &mut Vec<Finding>) {
    let unknown = |reason| Said::SettingsUnknown { reason };
    let known = both(&one.settings, &other.settings, Aspect::Settings, unknown, found);
    let Some((one, other)) = known else { return };
    if one.protocol != other.protocol {
        let said = Said::DifferProtocol {
            one: one.protocol.to_string(),
            other: other.protocol.to_string(),
        };
        push(
            found,
            Aspect::Protocol,
            Grade::NotComparable,
            said,
            Some(Said::RunAlike {}),
        );
    }
    for (grade, option) in OPTIONS {
        let (one, other) = (option(one), option(other));
        if one != other {
            push(
                found,
                Aspect::Settings,
                *grade,
                Said::DifferSetting { one, other },
                Some(Said::RunAlike {}),
            );
        }
    }
}

/// What an option weighs when it differs, and how it is written. What changes what a model can do makes the numbers other
/// ones; what moves them makes them limited. A seed does neither.
pub(super) type Weighed = (Grade, fn(&RunSettings) -> String);

pub(super) const OPTIONS: &[Weighed] = &[
    (Grade::NotComparable, |s| format!("--max-steps {}", s.max_steps)),
    (Grade::NotComparable, |s| switch("full-rollout", s.full_rollout)),
    (Grade::NotComparable, |s| switch("constrained", s.constrained)),
    (Grade::Limited, |s| format!("--timeout {}", s.timeout_s)),
    (Grade::Limited, |s| format!("--repetitions {}", s.repetitions)),
    (Grade::Limited, |s| format!("--temperature {}", s.temperature)),
    (Grade::Limited, |s| format!("--max-tokens {}", s.max_tokens)),
    (Grade::Limited, |s| {
        format!("--effort {}", s.effort.as_deref().unwrap_or("-"))
    }),
];

fn switch(option: &str, is_on: bool) -> String {
    format!("{}--{option}", if is_on { "" } else { "no " })
}

fn recordings(one: &Facts, other: &Facts, found: &mut Vec<Finding>) {
    let aspect = Aspect::Recordings;
    let unknown = |reason| Said::RecordsUnknown { reason };
    if let Some((first, second)) = both(&recorded(one), &recorded(other), aspect, unknown, found)
        && first != second
    {
        let said = Said::DifferRecordings {
            one: first.clone(),
            other: second.clone(),
        };
        push(found, aspect, Grade::Limited, said, Some(Said::RunAlike {}));
    }
    let unknown = |reason| Said::CallsUnknown { reason };
    let Some((first, second)) = both(&one.calls, &other.calls, aspect, unknown, found) else {
        return;
    };
    if [first, second]
        .iter()
        .any(|calls| calls.basis != CallsBasis::Recorded)
    {
        let reason = Said::MadeElsewhere {}.to_string();
        let said = Said::CallsUnknown { reason };
        return push(found, aspect, Grade::Limited, said, Some(Said::RunHere {}));
    }
    let outside = |calls: &CallFacts| calls.whole().live + calls.whole().overlay > 0;
    if outside(first) && outside(second) {
        push(
            found,
            aspect,
            Grade::Limited,
            Said::DifferTimes {},
            Some(Said::SameTime {}),
        );
    }
    let (lost, theirs) = (first.whole().lost(), second.whole().lost());
    let grade = grade_of_loss(lost, theirs);
    if grade > Grade::Comparable {
        let said = Said::DifferMisses {
            one: percent(lost),
            other: percent(theirs),
        };
        push(found, aspect, grade, said, Some(Said::FillMisses {}));
    } else if grade_of_misses(first).max(grade_of_misses(second)) == Grade::NotComparable {
        // Alike, and yet what is compared is mostly gaps: which calls fell into them differs from model to model.
        let whole = first.whole();
        let said = Said::ManyMisses {
            miss: whole.miss.to_string(),
            asked: whole.asked().to_string(),
            rate: percent(whole.answered_rate().unwrap_or(0.0)),
            touched: whole.touched.to_string(),
            attempts: whole.attempts.to_string(),
        };
        push(found, aspect, Grade::Limited, said, Some(Said::FillMisses {}));
    }
}

/// How shares of attempts that lost a call to a missing record weigh, by how far they are apart.
pub(super) fn grade_of_loss(one: f64, other: f64) -> Grade {
    let apart = (one - other).abs();
    if apart > LOST_LIMITED {
        Grade::NotComparable
    } else if apart > LOST_COMPARABLE {
        Grade::Limited
    } else {
        Grade::Comparable
    }
}

/// What a run's calls were answered from, named so that equal texts are equal recordings.
pub(super) fn recorded(facts: &Facts) -> Fact<String> {
    let cache = match facts.cache.get() {
        Ok(cache) => cache,
        Err(reason) => return Fact::unknown(reason),
    };
    let short = |sha256: &str| sha256.chars().take(12).collect::<String>();
    if cache.source == RecordingsFrom::Snapshot {
        return match &cache.sha256 {
            Some(sha256) => Fact::known(short(sha256)),
            None => Fact::unknown(Said::EarlierVersion {}),
        };
    }
    match facts.records_sha256.get() {
        // The pack's records stand under every other source; what comes on top shows in how calls were answered.
        Ok(sha256) => Fact::known(short(sha256)),
        Err(reason) => Fact::unknown(reason),
    }
}

fn coverage(one: &Facts, other: &Facts, found: &mut Vec<Finding>) {
    let aspect = Aspect::Coverage;
    let unknown = |reason| Said::CoverageUnknown { reason };
    let Some((first, second)) = both(&one.tasks, &other.tasks, aspect, unknown, found) else {
        return;
    };
    let of = |levels: &[LevelTasks]| -> BTreeMap<Level, LevelTasks> {
        let run = levels.iter().filter(|level| level.count > 0);
        run.map(|level| (level.level, level.clone())).collect()
    };
    let (first, second) = (of(first), of(second));
    let named = |levels: &BTreeMap<Level, LevelTasks>| {
        let names: Vec<&str> = levels.keys().map(|level| level.as_str()).collect();
        names.join(", ")
    };
    if !first.keys().eq(second.keys()) {
        let said = Said::DifferLevels {
            one: named(&first),
            other: named(&second),
        };
        push(found, aspect, Grade::Limited, said, Some(Said::CompareCommon {}));
    }
    let differ: Vec<&str> = first
        .iter()
        .filter(|(level, one)| second.get(level).is_some_and(|other| are_other(one, other)))
        .map(|(level, _)| level.as_str())
        .collect();
    if !differ.is_empty() {
        let levels = differ.join(", ");
        push(
            found,
            aspect,
            Grade::NotComparable,
            Said::DifferCoverage { levels },
            Some(Said::CompareCommon {}),
        );
    }
}

fn are_other(one: &LevelTasks, other: &LevelTasks) -> bool {
    if one.ids.is_empty() || other.ids.is_empty() {
        return one.count != other.count;
    }
    let sorted = |tasks: &LevelTasks| {
        let mut ids = tasks.ids.clone();
        ids.sort();
        ids
    };
    sorted(one) != sorted(other)
}

/// A pack's name, and the beginning of the hash, since two of a name may differ.
fn told(pack: &Fact<super::PackName>, sha256: &str) -> String {
    let short: String = sha256.chars().take(8).collect();
    match pack.get() {
        Ok(pack) => format!("{} ({short})", pack.label()),
        Err(_) => short,
    }
}

#[cfg(test)]
mod tests;

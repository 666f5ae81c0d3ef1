//! Rules on tasks and on the texts of tools.

use super::rule::{Departure, Method, Rule, Topic, known, when};
use crate::comparability::{
    Aspect, Caveat, Conditions, Facts, FindingCode, Grade, RUN_ALIKE, RUN_HERE, USE_PUBLISHED,
};
use koab_core::say;
use koab_core::sentence::Sentence;

pub(super) const TASKS: Topic = Topic {
    aspect: Aspect::Tasks,
    place: "tasks_sha256",
    known: |facts| known(&facts.tasks_sha256),
    unknown: |reason| say!("whether the tasks are the published ones is not known: {reason}"),
    mend: RUN_HERE,
    rules: &[Rule {
        code: FindingCode::OtherTasks,
        place: "tasks_sha256",
        method: Method::Text {
            grade: Grade::NotComparable,
            text: |facts| facts.tasks_sha256.value.clone(),
            departs: |facts| {
                let pack = facts.pack_label();
                let reason = say!("the tasks of pack {pack} are not the published ones");
                Some([reason, USE_PUBLISHED.into()])
            },
            differ: |one, other| {
                let [one, other] = [one, other].map(named);
                say!("their tasks are not the same: packs {one}, {other}")
            },
            alike: RUN_ALIKE,
        },
    }],
    first_decides: false,
};

pub(super) const TOOLS: Topic = Topic {
    aspect: Aspect::Tools,
    place: "tools",
    known: |facts| known(&facts.tools),
    unknown: |reason| say!("whether the texts of the tools are the published ones is not known: {reason}"),
    mend: RUN_HERE,
    rules: &[Rule {
        code: FindingCode::OtherTools,
        place: "tools",
        method: Method::Measure {
            grade: Conditions::grade_of_tools,
            departs: unlike_published,
            differ: |one, other| {
                let tools = unlike(one, other, false);
                say!("their tools are not described the same: {tools}")
            },
            alike: RUN_ALIKE,
        },
    }],
    first_decides: false,
};

/// Caveat for a run of another benchmark than Ko-AgentBench: it has a group that is not one of the
/// seven levels.
pub(super) fn other_benchmark(facts: &Facts) -> Option<Caveat> {
    let groups = facts.tasks.value.as_ref()?;
    let is_other = groups.iter().any(|group| group.level.place().is_none());
    let pack = facts.pack_label();
    is_other.then(|| Caveat {
        code: FindingCode::OtherTasks,
        aspect: Aspect::Tasks,
        grade: Grade::NotComparable,
        place: "tasks".to_owned(),
        reason: say!(
            "pack {pack} is of another benchmark than Ko-AgentBench, so there is nothing on the published leaderboard that it could be compared with"
        ),
        remedy: Sentence::EMPTY,
    })
}

/// Name of a pack with the beginning of its tasks' hash, since two packs with the same name may
/// differ.
fn named(facts: &Facts) -> String {
    let sha256 = facts.tasks_sha256.value.iter();
    let short: String = sha256.flat_map(|sha256| sha256.chars().take(8)).collect();
    match facts.pack.get() {
        Ok(pack) => format!("{} ({short})", pack.label()),
        Err(_) => short,
    }
}

fn unlike_published(facts: &Facts) -> Vec<Departure> {
    let tools = unlike(facts, Facts::published(), true);
    let reason =
        || say!("the name, description or schema of offered tools is not the published one: {tools}");
    when(!tools.is_empty(), Grade::NotComparable, reason, USE_PUBLISHED)
}

/// Names of tools whose texts differ from those of the other side. If `with_missing` is set, tools
/// that the other side lacks are included.
fn unlike(one: &Facts, other: &Facts, with_missing: bool) -> String {
    let theirs = |name: &String| other.tools.value.as_ref().and_then(|tools| tools.get(name));
    let tools = one.tools.value.iter().flatten();
    let unlike = tools.filter(|(name, text)| theirs(name).map_or(with_missing, |theirs| theirs != *text));
    let names: Vec<&str> = unlike.map(|(name, _)| name.as_str()).collect();
    names.join(", ")
}

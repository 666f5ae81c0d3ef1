//! Rules on the settings of runs.
//!
//! A difference in settings that change the model's capabilities makes numbers not comparable. A
//! difference in settings that only shift numbers has the weight [`Grade::Limited`]. A difference
//! in the seed has no weight.

use super::rule::{Method, Rule, Topic, as_published, known};
use crate::comparability::{Aspect, Facts, FindingCode, Grade, RUN_ALIKE, RUN_HERE, SettingsFacts};
use koab_core::say;
use koab_core::sentence::Sentence;

/// Text that is compared for a run without an agent.
const NO_AGENT: &str = "no --agent";
/// Text that is compared for a run with the published texts.
const NO_TEXTS: &str = "no texts of its own";

pub(super) const PROTOCOL: Topic = Topic {
    aspect: Aspect::Protocol,
    place: "settings.protocol",
    // Unknown settings are reported once, by the topic of all other settings.
    known: |facts| facts.settings.value.as_ref().map(|_| Ok(())),
    unknown: |reason| reason,
    mend: RUN_HERE,
    rules: &[Rule {
        code: FindingCode::OtherProtocol,
        place: "settings.protocol",
        method: Method::Text {
            grade: Grade::NotComparable,
            text: protocol,
            departs: |_| {
                let reason = say!(
                    "the run follows the corrected protocol, the leaderboard's runs follow the published one"
                );
                Some([reason, as_published("--protocol leaderboard")])
            },
            differ: |one, other| {
                let [one, other] = [one, other].map(|side| protocol(side).unwrap_or_default());
                say!("they were run under different protocols: {one}, {other}")
            },
            alike: RUN_ALIKE,
        },
    }],
    first_decides: false,
};

pub(super) const SETTINGS: Topic = Topic {
    aspect: Aspect::Settings,
    place: "settings",
    known: |facts| known(&facts.settings),
    unknown: |reason| {
        say!("how the run was started (protocol, steps, time, sampling) is not known: {reason}")
    },
    mend: RUN_HERE,
    rules: &[
        option(
            Grade::NotComparable,
            "settings.max_steps",
            |settings| format!("--max-steps {}", settings.run.max_steps),
            |settings| {
                say!(
                    "an attempt could take {steps} model turns instead of the published 10",
                    steps = settings.run.max_steps
                )
            },
        ),
        option(
            Grade::NotComparable,
            "settings.full_rollout",
            |settings| switch("--full-rollout", settings.run.full_rollout),
            |_| say!("in L6 and L7 the model played every turn, in the published runs only the last"),
        ),
        option(
            Grade::NotComparable,
            "settings.constrained",
            |settings| switch("--constrained", settings.constrained),
            |_| say!("the model was constrained to well-formed tool calls, unlike in the published runs"),
        ),
        option(
            Grade::Limited,
            "settings.any_form",
            |settings| switch("--tool-form auto", settings.any_form),
            |_| {
                say!(
                    "tool calls were read from any markup in the model's text; a server reads only the model's own form"
                )
            },
        ),
        option(
            Grade::NotComparable,
            "settings.adaptive",
            |settings| switch("--adaptive", settings.adaptive),
            |_| {
                say!(
                    "only the most informative tasks were run (an adaptive run), so their mean is not that of all tasks"
                )
            },
        ),
        Rule {
            code: FindingCode::OtherAgent,
            place: "settings.agent",
            method: Method::Text {
                grade: Grade::NotComparable,
                text: |facts| facts.settings.value.as_ref().map(|settings| agent(settings).to_string()),
                departs: |facts| {
                    let agent = agent(facts.settings.value.as_ref()?);
                    let reason = say!("an agent drove the model, which no published run has: {agent}");
                    Some([reason, as_published(NO_AGENT)])
                },
                differ: |one, other| {
                    let [one, other] =
                        [one, other].map(|side| side.settings.value.as_ref().map(agent).unwrap_or_default());
                    say!("they were started differently: {one}, {other}")
                },
                alike: RUN_ALIKE,
            },
        },
        Rule {
            code: FindingCode::OtherSettings,
            place: "settings.texts",
            method: Method::Text {
                grade: Grade::NotComparable,
                text: |facts| facts.settings.value.as_ref().map(texts),
                departs: |facts| {
                    let texts = facts.settings.value.as_ref()?.texts.clone()?;
                    let reason = say!(
                        "the model was given a system prompt or tool descriptions of its own, which no published run has: {texts}"
                    );
                    Some([reason, as_published(NO_TEXTS)])
                },
                differ: |one, other| {
                    let [one, other] =
                        [one, other].map(|side| side.settings.value.as_ref().map(texts).unwrap_or_default());
                    say!("they were started differently: {one}, {other}")
                },
                alike: RUN_ALIKE,
            },
        },
        option(
            Grade::Limited,
            "settings.timeout_s",
            |settings| format!("--timeout {}", settings.run.timeout_s),
            |settings| {
                say!(
                    "a task could take {seconds} s instead of the published 60",
                    seconds = settings.run.timeout_s
                )
            },
        ),
        Rule {
            code: FindingCode::Repetitions,
            ..option(
                Grade::Limited,
                "settings.repetitions",
                |settings| format!("--repetitions {}", settings.run.repetitions),
                |settings| {
                    say!(
                        "each task was tried {count} times instead of once, so pass@k means something else",
                        count = settings.run.repetitions
                    )
                },
            )
        },
        option(
            Grade::Limited,
            "settings.temperature",
            |settings| format!("--temperature {}", settings.run.temperature),
            |settings| {
                say!(
                    "the sampling temperature was {value} instead of the published 0.7",
                    value = settings.run.temperature
                )
            },
        ),
        option(
            Grade::Limited,
            "settings.max_tokens",
            |settings| format!("--max-tokens {}", limit(settings)),
            |settings| match settings.run.max_tokens {
                Some(tokens) => say!("an answer could have {tokens} tokens instead of the published 1024"),
                None => say!("an answer had no limit of tokens; the published runs had a limit of 1024"),
            },
        ),
        option(
            Grade::Limited,
            "settings.effort",
            |settings| format!("--effort {}", settings.run.effort.as_deref().unwrap_or("-")),
            |settings| {
                say!(
                    "the reasoning effort was set to {effort}; among the published runs only gpt-5 had one, which was low",
                    effort = settings.run.effort.as_deref().unwrap_or_default()
                )
            },
        ),
    ],
    first_decides: false,
};

const fn option(
    grade: Grade,
    place: &'static str,
    written: fn(&SettingsFacts) -> String,
    departs: fn(&SettingsFacts) -> Sentence,
) -> Rule {
    Rule { code: FindingCode::OtherSettings, place, method: Method::Option { grade, written, departs } }
}

fn protocol(facts: &Facts) -> Option<String> {
    Some(facts.settings.value.as_ref()?.run.protocol.to_string())
}

fn texts(settings: &SettingsFacts) -> String {
    settings.texts.clone().unwrap_or_else(|| NO_TEXTS.to_owned())
}

/// Agent as a sentence and not in the notation of an option, since its containment is described in
/// the reader's language.
fn agent(settings: &SettingsFacts) -> Sentence {
    settings.agent.clone().unwrap_or_else(|| NO_AGENT.into())
}

fn switch(option: &str, is_on: bool) -> String {
    format!("{}{option}", if is_on { "" } else { "no " })
}

/// Maximum number of output tokens per call, in the notation of the option.
fn limit(settings: &SettingsFacts) -> String {
    settings.run.max_tokens.map_or_else(|| "-".to_owned(), |tokens| tokens.to_string())
}

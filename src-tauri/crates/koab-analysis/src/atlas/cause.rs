//! Causes of lost points, in their order of precedence.
//!
//! A cause comes before causes that may follow from it. If an attempt was cut short, its calls give
//! no information; if a call is missing, its arguments give none. Causes about judges come last.

use super::labels::LABELS;
use koab_core::sentence::Language;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Party that a cause is attributed to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum CauseOwner {
    /// The model under test.
    Model,
    /// The computer, the network or the model's server: the cause says nothing about the model's
    /// skill.
    Technical,
    /// The pack, which has no cached response.
    Pack,
    /// The service behind a tool that the model called.
    Service,
    /// The procedure that the benchmark prescribes for the task.
    Protocol,
    /// The judge, or the question that the judge received.
    Judge,
}

/// Data that a rule needs in addition to the attempt's log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum CauseNeeds {
    /// Only the log.
    Log,
    /// Verdicts of judges. Without a report that contains verdicts, the rule finds nothing.
    Verdicts,
}

macro_rules! causes {
    ($($variant:ident $name:literal $owner:ident $needs:ident, $doc:literal;)*) => {
        /// Cause of an attempt's lost points. The order of the variants is their precedence.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export, rename = "AtlasCauseId"))]
        #[serde(rename_all = "snake_case")]
        pub enum Cause {
            $(#[doc = $doc] $variant,)*
        }

        impl Cause {
            /// All causes in their order.
            pub const ALL: &'static [Cause] = &[$(Cause::$variant),*];

            /// Name of the cause in files, commands and URLs.
            pub const fn name(self) -> &'static str {
                match self { $(Cause::$variant => $name,)* }
            }

            /// Party that the cause is attributed to.
            pub const fn owner(self) -> CauseOwner {
                match self { $(Cause::$variant => CauseOwner::$owner,)* }
            }

            /// Data that the cause's rule needs.
            pub const fn needs(self) -> CauseNeeds {
                match self { $(Cause::$variant => CauseNeeds::$needs,)* }
            }
        }
    };
}

causes! {
    TimedOut "timed_out" Technical Log, "The attempt ran out of time.";
    ModelFailed "model_failed" Technical Log, "The model’s server failed.";
    Stopped "stopped" Technical Log, "Somebody or the budget stopped the attempt.";
    RepetitionFailed "repetition_failed" Technical Log, "A later repetition ended without an answer.";
    JudgeFailed "judge_failed" Judge Verdicts, "A judge gave no usable answer.";
    SeededAnswer "seeded_answer" Model Log, "The model said nothing, and the dataset’s own answer stands for it.";
    EmptyAnswer "empty_answer" Model Log, "There is no answer.";
    StepLimit "step_limit" Model Log, "The steps were used up.";
    CutOff "cut_off" Model Verdicts, "The answer was cut off at the output limit.";
    CacheMiss "cache_miss" Pack Log, "The pack has no cached response for a call.";
    ToolFailed "tool_failed" Service Log, "The service behind a tool failed.";
    BadJson "bad_json" Model Log, "The arguments are not JSON.";
    UnknownTool "unknown_tool" Model Log, "There is no such tool.";
    ArgumentRefused "argument_refused" Model Log, "A tool refused an argument.";
    FallbackUnused "fallback_unused" Model Log, "The injected failure was met and no fallback tried.";
    InjectionUnmet "injection_unmet" Model Log, "The tool that is to fail was never called.";
    AskedBack "asked_back" Model Verdicts, "The answer asks the user instead of doing what was asked.";
    OnlyAnnounced "only_announced" Model Verdicts, "The answer announces work that was never done.";
    GaveUp "gave_up" Model Verdicts, "The answer says that it could not be done.";
    LinksOnly "links_only" Model Verdicts, "The answer points to pages instead of answering.";
    Contradiction "contradiction" Model Verdicts, "The answer says what no tool result says.";
    AskedWithoutCall "asked_without_call" Model Log, "No tool was called, and the answer asks the user.";
    NoCall "no_call" Model Log, "No tool was called, and the answer asks nothing.";
    WrongTool "wrong_tool" Model Log, "Another tool was called.";
    MissingCall "missing_call" Model Log, "A call of the golden path was not made.";
    WrongOrder "wrong_order" Model Log, "The calls were made in another order.";
    RedundantCall "redundant_call" Model Log, "A call repeats an earlier one.";
    RetriedFailure "retried_failure" Model Log, "The failing tool was called again.";
    LateFallback "late_fallback" Model Log, "The fallback came late.";
    ExtraCall "extra_call" Model Log, "More calls were made than the path has.";
    ToolEmpty "tool_empty" Model Log, "A call found nothing.";
    WrongArgument "wrong_argument" Model Log, "An argument has another value.";
    MissingArgument "missing_argument" Model Log, "An argument is missing.";
    ExtraArgument "extra_argument" Model Log, "An argument is not in the golden call.";
    GoldenDiffers "golden_differs" Pack Log, "The golden argument is not what the task says.";
    ArgumentForm "argument_form" Model Log, "An argument has the same value in another form.";
    DefaultArgument "default_argument" Protocol Log, "Only a default value is spelled out or left out.";
    FirstQuestion "first_question" Judge Verdicts, "The judge was shown the first question, not the one that was answered.";
    SeededTurn "seeded_turn" Protocol Verdicts, "The dataset’s own answer stood before the model’s.";
    SeedConflict "seed_conflict" Protocol Verdicts, "The new result differs from the seeded one.";
    DeniedThoughBacked "denied_though_backed" Judge Verdicts, "Denied although all that can be checked stands in the results.";
    GradedAgainstLog "graded_against_log" Judge Verdicts, "The judge marks equal arguments down.";
    JudgeSplit "judge_split" Judge Verdicts, "The votes are not unanimous.";
}

impl Cause {
    /// Display name of the cause, and a description of its rule.
    pub fn label(self, language: Language) -> (&'static str, &'static str) {
        let (name, rule) = LABELS[self as usize];
        (language.text(name), language.text(rule))
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Name that is not a cause.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, koab_core::Say)]
#[error("`{0}` is not a cause; `koab report atlas --causes` lists them")]
pub struct UnknownCause(pub String);

impl FromStr for Cause {
    type Err = UnknownCause;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let canonical = name.trim().replace('-', "_").to_ascii_lowercase();
        let cause = Cause::ALL.iter().find(|cause| cause.name() == canonical);
        cause.copied().ok_or_else(|| UnknownCause(name.to_owned()))
    }
}

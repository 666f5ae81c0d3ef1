//! Reasons for a missing number: sentence fragments in the place of a score, a mean or a
//! coefficient.
//!
//! Reports contain the English text of a reason, so an existing text must not change; a new reason
//! is a new variant. Messages of servers and models are quoted unchanged.

use crate::Say;
use crate::sentence::Sentence;

/// Reason why there is no number.
#[derive(Clone, Debug, PartialEq, Eq, Say)]
#[allow(missing_docs, reason = "each variant is its sentence")]
pub enum Reason {
    #[say("no tool was called")]
    NoToolCalled,
    #[say("every call met the injected failure or had no recorded response")]
    NothingToCount,
    #[say("the task injects no failure")]
    NoInjection,
    #[say("the task gives no chance to reuse a result")]
    NoChanceToReuse,
    #[say("no result was reused and no call repeated")]
    NothingReused,
    #[say("the task has neither minimum steps nor a golden path")]
    NoLeastSteps,
    #[say("the task has no data flow")]
    NoDataFlow,
    #[say(
        "steps by arrival: the model's replies are not known, so it is not known which calls one reply made together"
    )]
    StepsByArrival,
    #[say("the metric does not apply to this task")]
    NotAboutTask,
    #[say("the metric cannot read this log: {error}")]
    CannotReadLog { error: Sentence },
    #[say("the attempt failed: {error}")]
    AttemptFailed { error: Sentence },

    #[say("the composite score is made of Ko-AgentBench’s levels, and this is another benchmark")]
    NoComposite,
    #[say("there is no reply in the log")]
    NoReply,
    #[say("the reply was cut off at the output limit")]
    ReplyCutOff,
    #[say("the pack has no item of this id")]
    NoSuchItem,

    #[say("no judge was asked")]
    NoJudgeAsked,
    #[say("{missing} of {wanted} judge answers are missing")]
    AnswersMissing { missing: String, wanted: String },
    #[say("judge {judge} failed: {reason}")]
    JudgeFailed { judge: String, reason: Sentence },
    #[say("the judges gave no usable answer")]
    NoUsableAnswer,
    #[say("{metric} asks no judge")]
    AsksNoJudge { metric: String },
    #[say("the answer is not JSON: {error}")]
    AnswerNoJson { error: Sentence },
    #[say("the answer is not a JSON object")]
    AnswerNoObject,
    #[say("the answer has no `{field}`")]
    AnswerLacks { field: String },
    #[say("`success` is {value}, not true or false")]
    NoYesOrNo { value: String },
    #[say("`score` is {value}, not a whole number from 1 to 5")]
    NoGrade { value: String },
    #[say("`confidence` is {value}, not a number from 0 to 1")]
    NoConfidence { value: String },
    #[say("`reason` is {value}, not a text")]
    NoText { value: String },

    #[say("no task of the level is one for this metric")]
    NoTaskOfMetric,
    #[say("the file has no value and does not say why")]
    FileSilent,
    #[say("{unscored} of {tasks} tasks are unscored: {reason}")]
    SomeUnscored { unscored: String, tasks: String, reason: Sentence },
    #[say("the level was not evaluated")]
    NotEvaluated,
    #[say("the report does not have it")]
    NotInReport,
    #[say("the report has no {metric}")]
    LacksMetric { metric: String },
    #[say("unscored")]
    Unscored,

    #[say("there are no tasks")]
    NoTasks,
    #[say("there is no mean")]
    NoMean,
    #[say("no task is scored")]
    NoneScored,
    #[say("one task tells nothing about the spread")]
    OneTask,
    #[say("only a summary is known, without the scores of single tasks")]
    SummaryOnly,
    #[say("every task has the same score, so resampling the tasks shows no spread")]
    AllTheSame,

    #[say("the first report has no value: {reason}")]
    FirstHasNone { reason: Sentence },
    #[say("the second report has no value: {reason}")]
    SecondHasNone { reason: Sentence },
    #[say("no task has a score in both reports")]
    NoSharedTask,
    #[say("no task has a score in all reports")]
    NoSharedByAll,
    #[say("the metric is judged, and the judging differs: {reason}")]
    JudgedOtherwise { reason: Sentence },
    #[say("both reports have the same score on every task")]
    NoTaskDiffers,
    #[say("every task differs by the same amount, which shows no spread")]
    AllDifferAlike,
    #[say("the difference is 0, so there is none to confirm with more tasks")]
    NoDifference,
    #[say("not defined for composites")]
    WeighedTasks,
    #[say("the difference is so small that it would take more than {tasks} tasks")]
    TooManyTasks { tasks: String },
    #[say("significant on its own, but not after correction for the {tests} tests shown together")]
    SeparatedAlone { tests: String },
    #[say("not comparable with the first report: {reason}")]
    NotWithFirst { reason: Sentence },
    #[say("{metric} is not yes or no for every task here; choose two reports to compare them")]
    NotYesOrNo { metric: String },

    #[say("one attempt per task; run each task three times or more to see how far attempts vary")]
    OneAttempt,
    #[say("no task has {k} scored attempts")]
    FewAttempts { k: String },
    #[say("{unscored} of {attempts} attempts are unscored: {reason}")]
    AttemptsUnscored { unscored: String, attempts: String, reason: Sentence },
    #[say("the log says of this attempt only whether it ended with an answer")]
    AttemptNotKept,
    #[say("this attempt was not made")]
    AttemptNotMade,
    #[say("the task's time was up")]
    TimeWasUp,
    #[say("the budget was spent before the attempt could end")]
    BudgetWasSpent,
    #[say("the run was cancelled before the attempt could end")]
    RunWasCancelled,
    #[say("the model gave no answer")]
    ModelGaveNothing,
    #[say("only the first attempts were scored; score the run again for the later ones")]
    LaterNotScored,

    #[say("there is only one judge")]
    OneJudge,
    #[say("it takes three judges or more")]
    FewJudges,
    #[say("no question has answers of all who are compared")]
    NothingInCommon,
    #[say("all answers are the same, so κ and α cannot be computed")]
    OneCategory,
    #[say("there is only one vote")]
    OneVote,
    #[say("it takes three votes or more")]
    FewVotes,
    #[say("no question has enough votes")]
    TooFewVotes,

    #[say("the result is {found}, not an object")]
    NoResult { found: String },
    #[say("tool call {number} is {found}, not an object")]
    NoCall { number: String, found: String },
    #[say("`tool_calls` is {found}, not a list")]
    NoCallList { found: String },

    #[say("{level} {metric}: {reason}")]
    OfLevelMetric { level: String, metric: String, reason: Sentence },
    #[say("{one}: {reason}")]
    OfOne { one: String, reason: Sentence },
    #[say("{reason} ({count})")]
    Counted { reason: Sentence, count: String },
}

//! Reasons of the judge lab for a missing number.

use koab_core::Say;

/// Reason why a number of the judge lab is missing.
#[derive(Clone, Debug, PartialEq, Eq, Say)]
#[allow(missing_docs, reason = "each variant is its sentence")]
pub enum LabReason {
    #[say(
        "{judge} has answered {answered} of the {questions} questions of these runs; judge the missing ones"
    )]
    JudgeIncomplete { judge: String, answered: String, questions: String },
    #[say("no judge has answered all questions of these runs")]
    NoCompleteJudge,
    #[say("it takes two judges who have answered all questions of these runs")]
    TwoComplete,
    #[say("these runs have no human overrides")]
    NoWord,
    #[say("a ranking takes two runs or more")]
    OneRun,
    #[say("all runs have the same score with one of the two judges")]
    AllLevel,
    #[say("yes or no and grades have no scale in common")]
    NoScaleInCommon,
    #[say("drawing one task again shows no spread")]
    OneTaskOnly,
    #[say("too many resamples of the tasks have only one kind of answer")]
    DrawsUndefined,
    #[say("no question of the queue has a person's answer yet")]
    NobodyReviewed,
    #[say("no such question was answered by both the person and the judge")]
    NothingOfScale,
}

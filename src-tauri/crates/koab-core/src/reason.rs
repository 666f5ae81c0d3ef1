//! Why there is no number: the sentence fragments that stand where a score, a mean or a coefficient would.
//!
//! A reason is part of reports, in English and to the byte; a new one is a new variant with both languages. What others
//! said, a server or a model, is quoted as it came.

use crate::sentence;

crate::sentences! {
    /// Why there is no number.
    pub enum Reason {
        NoToolCalled {} = "no tool was called", "도구를 호출하지 않았습니다";
        NothingToCount {} = "every call met the injected failure or had no recorded response", "모든 호출이 주입된 실패를 만났거나 기록된 응답이 없었습니다";
        NoInjection {} = "the task injects no failure", "주입된 실패가 없는 과제입니다";
        NoChanceToReuse {} = "the task gives no chance to reuse a result", "결과를 재사용할 기회가 없는 과제입니다";
        NothingReused {} = "no result was reused and no call repeated", "재사용한 결과도 반복한 호출도 없습니다";
        NoLeastSteps {} = "the task has neither minimum steps nor a golden path", "과제에 최소 단계 수도 정답 경로도 없습니다";
        NoDataFlow {} = "the task has no data flow", "데이터 흐름이 없는 과제입니다";
        NotAboutTask {} = "the metric is not about this task", "이 과제에는 해당하지 않는 지표입니다";
        CannotReadLog { error } = "the metric cannot read this log: {error}", "지표가 이 로그를 읽지 못했습니다: {error}";
        AttemptFailed { error } = "the attempt failed: {error}", "시도가 실패했습니다: {error}";

        NoJudgeAsked {} = "no judge was asked", "심판에게 묻지 않았습니다";
        AnswersMissing { missing, wanted } = "{missing} of {wanted} judge answers are missing", "심판의 답 {wanted}개 중 {missing}개가 없습니다";
        JudgeFailed { judge, reason } = "judge {judge} failed: {reason}", "심판 {judge}의 답을 쓸 수 없습니다: {reason}";
        NoUsableAnswer {} = "the judges gave no usable answer", "심판의 답 중 쓸 수 있는 것이 없습니다";
        AsksNoJudge { metric } = "{metric} asks no judge", "{metric}에는 심판이 필요하지 않습니다";
        AnswerNoJson { error } = "the answer is not JSON: {error}", "답이 JSON이 아닙니다: {error}";
        AnswerNoObject {} = "the answer is not a JSON object", "답이 JSON 객체가 아닙니다";
        AnswerLacks { field } = "the answer has no `{field}`", "답에 `{field}` 항목이 없습니다";
        NoYesOrNo { value } = "`success` is {value}, not true or false", "`success`의 값 {value}은(는) true나 false가 아닙니다";
        NoGrade { value } = "`score` is {value}, not a whole number from 1 to 5", "`score`의 값 {value}은(는) 1~5의 정수가 아닙니다";
        NoConfidence { value } = "`confidence` is {value}, not a number from 0 to 1", "`confidence`의 값 {value}은(는) 0~1의 수가 아닙니다";
        NoText { value } = "`reason` is {value}, not a text", "`reason`의 값 {value}은(는) 글이 아닙니다";

        NoTaskOfMetric {} = "no task of the level is one for this metric", "이 레벨에는 이 지표에 해당하는 과제가 없습니다";
        FileSilent {} = "the file has no value and does not say why", "파일에 값이 없고 이유도 적혀 있지 않습니다";
        SomeUnscored { unscored, tasks, reason } = "{unscored} of {tasks} tasks are unscored: {reason}", "과제 {tasks}개 중 {unscored}개가 미채점입니다: {reason}";
        NotEvaluated {} = "the level was not evaluated", "채점하지 않은 레벨입니다";
        NotInReport {} = "the report does not have it", "보고서에 없습니다";
        LacksMetric { metric } = "the report has no {metric}", "보고서에 {metric} 지표가 없습니다";
        Unscored {} = "unscored", "미채점";

        NoTasks {} = "there are no tasks", "과제가 없습니다";
        NoMean {} = "there is no mean", "평균이 없습니다";
        NoneScored {} = "no task is scored", "채점된 과제가 없습니다";
        OneTask {} = "one task tells nothing about the spread", "과제가 하나뿐이라 흩어진 정도를 알 수 없습니다";
        SummaryOnly {} = "only a summary is known, without the scores of single tasks", "요약만 있어 과제별 점수를 알 수 없습니다";
        AllTheSame {} = "every task has the same score, so drawing them again shows no spread", "모든 과제의 점수가 같아 다시 뽑아도 흩어짐이 없습니다";

        FirstHasNone { reason } = "the first report has no value: {reason}", "첫째 보고서에 값이 없습니다: {reason}";
        SecondHasNone { reason } = "the second report has no value: {reason}", "둘째 보고서에 값이 없습니다: {reason}";
        NoSharedTask {} = "there is no task that both reports have a score of", "두 보고서에 모두 점수가 있는 과제가 없습니다";
        NoSharedByAll {} = "there is no task that all reports have a score of", "모든 보고서에 점수가 있는 과제가 없습니다";
        JudgedOtherwise { reason } = "judges decide it, and they are not the same: {reason}", "심판이 정하는 지표인데 심판이 서로 다릅니다: {reason}";
        NoTaskDiffers {} = "both reports have the same score on every task", "모든 과제에서 두 보고서의 점수가 같습니다";
        AllDifferAlike {} = "every task differs by the same amount, which shows no spread", "모든 과제의 차이가 같아 흩어짐이 없습니다";
        NoDifference {} = "no difference was seen, so there is none that more tasks could confirm", "차이가 나타나지 않아 과제를 늘려도 확인할 차이가 없습니다";
        WeighedTasks {} = "tasks of different levels weigh differently here, so no one spread is the one to divide by", "레벨마다 과제의 비중이 달라 나눌 표준편차를 하나로 정할 수 없습니다";
        TooManyTasks { tasks } = "the difference is so small that it would take more than {tasks} tasks", "차이가 너무 작아 과제가 {tasks}개 넘게 필요합니다";
        SeparatedAlone { tests } = "on its own it is separated, but not among the {tests} tests shown together", "따로 보면 구별되지만 함께 보인 검정 {tests}개 가운데서는 구별되지 않습니다";
        NotWithFirst { reason } = "not comparable with the first report: {reason}", "첫째 보고서와 비교할 수 없습니다: {reason}";
        NotYesOrNo { metric } = "{metric} is no yes or no of every task here; two such reports are tested on their own page", "여기서는 {metric}이(가) 과제마다 예/아니요로 정해지지 않습니다. 두 보고서를 골라 비교하세요";

        OneAttempt {} = "each task was attempted once, so nothing is known of how far attempts differ; run each task three times or more", "과제마다 한 번만 시도하여 시도끼리 얼마나 다른지 알 수 없습니다. 과제를 세 번 이상씩 실행하세요";
        FewAttempts { k } = "no task has {k} scored attempts", "채점된 시도가 {k}개 이상인 과제가 없습니다";
        AttemptsUnscored { unscored, attempts, reason } = "{unscored} of {attempts} attempts are unscored: {reason}", "시도 {attempts}개 중 {unscored}개가 미채점입니다: {reason}";
        AttemptNotKept {} = "the log keeps of this attempt only whether it ended with an answer", "로그에는 이 시도가 답으로 끝났는지만 남아 있습니다";
        AttemptNotMade {} = "this attempt was not made", "이 시도는 이루어지지 않았습니다";
        TimeWasUp {} = "the task's time was up", "과제의 제한 시간이 지났습니다";
        BudgetWasSpent {} = "the budget was spent before the attempt could end", "시도가 끝나기 전에 예산을 다 썼습니다";
        RunWasCancelled {} = "the run was cancelled before the attempt could end", "시도가 끝나기 전에 실행이 취소되었습니다";
        ModelGaveNothing {} = "the model could not be asked", "모델에 물을 수 없었습니다";
        LaterNotScored {} = "only the first attempts were scored; score the run again for the later ones", "첫 시도만 채점했습니다. 나머지 시도를 채점하려면 실행을 다시 채점하세요";

        OneJudge {} = "there is only one judge", "심판이 하나뿐입니다";
        FewJudges {} = "it takes three judges or more", "심판이 셋 이상이어야 합니다";
        NothingInCommon {} = "no question has answers of all who are compared", "비교하는 심판이 모두 답한 질문이 없습니다";
        OneCategory {} = "every answer is the same, so chance explains the agreement", "모든 답이 같아 우연으로도 설명되는 일치입니다";
        OneVote {} = "there is only one vote", "표가 하나뿐입니다";
        FewVotes {} = "it takes three votes or more", "표가 셋 이상이어야 합니다";
        TooFewVotes {} = "no question has enough votes", "표가 충분한 질문이 없습니다";

        NoResult { found } = "the result is {found}", "결과의 형식이 올바르지 않습니다({found})";
        NoCall { number, found } = "tool call {number} is {found}", "{number}번째 도구 호출의 형식이 올바르지 않습니다({found})";
        NoCallList { found } = "`tool_calls` is {found}, not a list", "`tool_calls`가 목록이 아닙니다({found})";

        OfLevelMetric { level, metric, reason } = "{level} {metric}: {reason}", "{level} {metric}: {reason}";
        OfOne { one, reason } = "{one}: {reason}", "{one}: {reason}";
        Counted { reason, count } = "{reason} ({count})", "{reason} ({count})";
    }
}

impl Reason {
    /// A reason as it stands in a report, in Korean; null when it is none of these.
    pub fn korean(text: &str) -> Option<String> {
        sentence::korean(&[Self::PHRASES], text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reason_comes_back_in_korean_with_what_it_names() {
        assert_eq!(sentence::faults(&[Reason::PHRASES]), Vec::<String>::new());
    }

    #[test]
    fn a_reason_within_reasons_is_korean_throughout() {
        let said = Reason::korean(
            "L1 SR: 2 of 3 tasks are unscored: judge openai/gpt-4o failed: the answer has no `score`",
        );
        assert_eq!(
            said.as_deref(),
            Some(
                "L1 SR: 과제 3개 중 2개가 미채점입니다: 심판 openai/gpt-4o의 답을 쓸 수 없습니다: 답에 `score` 항목이 없습니다"
            )
        );
    }
}

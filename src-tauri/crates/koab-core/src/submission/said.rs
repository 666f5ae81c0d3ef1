//! What an objection says, in both languages. Where a verdict on comparability says the same, its sentence is used
//! (`comparability/said.rs`).

crate::sentences! {
    /// Objections and what to do about them.
    pub enum Told {
        NoName { what } = "the submission does not say {what}", "제출물에 {what}이(가) 없습니다";
        SayName { option } = "say it with `koab submit prepare {option}` or on the page of the submission", "`koab submit prepare {option}` 또는 제출 화면에서 적으세요";
        WhatModel {} = "what the model is to be called", "모델의 표시 이름";
        WhatVendor {} = "who makes the model", "모델의 제작사";
        WhatType {} = "whether the weights of the model are open (OSS) or not (API)", "모델의 가중치 공개 여부(OSS 또는 API)";
        WhatContact {} = "where questions about the submission are answered", "문의할 연락처";
        WhatLicence {} = "under which licence the open weights are", "공개 가중치의 라이선스";
        WhatRepo {} = "where the open weights are to be had", "공개 가중치를 받을 수 있는 저장소";
        Baseline { model } = "{model} is one of the built-in baselines and no model", "{model}은(는) 내장 기준선이며 모델이 아닙니다";
        RunModel {} = "run a model and prepare that run", "모델을 실행한 뒤 그 실행으로 준비하세요";
        NoReport {} = "there is no report that can be read", "읽을 수 있는 보고서가 없습니다";
        NoSubmission {} = "there is no submission.json that can be read", "읽을 수 있는 submission.json이 없습니다";
        PrepareAgain {} = "prepare the submission again with `koab submit prepare`", "`koab submit prepare`로 제출물을 다시 준비하세요";
        LogsMissing { levels } = "the logs of {levels} are not there", "{levels}의 로그가 없습니다";
        NoLog { error } = "the file is no run log: {error}", "실행 로그로 읽을 수 없습니다: {error}";
        FewerInLog { found, all } = "the log has {found} of the {all} published tasks of its level", "로그에 이 레벨의 공개된 과제 {all}개 중 {found}개만 있습니다";
        Sampled { count } = "only the first {count} tasks of each level were scored", "레벨마다 처음 과제 {count}개만 채점했습니다";
        ScoreAll {} = "score the whole run, without `--sample` and `--quick`", "`--sample`과 `--quick` 없이 실행 전체를 채점하세요";
        NotCompleted { status } = "the run did not come to its end: {status}", "실행이 끝까지 가지 못했습니다: {status}";
        JournalCut { line } = "line {line} of the journal cannot be read", "저널의 {line}번째 줄을 읽을 수 없습니다";
        BringJournal {} = "prepare again from the workspace that made the run", "실행을 만든 작업 공간에서 다시 준비하세요";
        NoJournal {} = "there is no journal, so nobody can see whether the logs are as the run left them", "저널이 없어 로그가 실행이 남긴 그대로인지 확인할 수 없습니다";
        EditedLog { field } = "`{field}` of the log is not what the journal of the run has", "로그의 `{field}`이(가) 실행의 저널과 다릅니다";
        OtherFacts { what, told, found } = "submission.json says {told} {what}, the journal has {found}", "submission.json에는 {what} {told}회라고 적혀 있지만 저널에는 {found}회입니다";
        CallsAnswered {} = "calls answered by records", "기록이 답한 호출";
        CallsMissed {} = "calls without an answer", "답이 없던 호출";
        CallsLive {} = "calls answered by real services", "실제 서비스가 답한 호출";
        CallsOverlay {} = "calls answered by what is kept beside the pack", "팩 옆에 저장해 둔 응답이 답한 호출";
        OtherModels { one, other } = "the logs are of different models: {one}, {other}", "로그의 모델이 서로 다릅니다: {one}, {other}";
        SeveralRuns { folders } = "the logs lie in several folders of runs: {folders}", "로그가 여러 실행 폴더에 나뉘어 있습니다: {folders}";
        BeforeRun { time, run } = "the log was written at {time}, before the run {run} began", "로그가 실행 {run}이(가) 시작되기 전인 {time}에 기록되었습니다";
        OfOtherLogs { level } = "the report of {level} is not of this log: its figures are another log's", "{level}의 보고서가 이 로그의 것이 아닙니다. 수치가 다른 로그의 것입니다";
        OneRun {} = "hand in the logs and the report of one run; run the other levels again within it", "한 실행의 로그와 보고서를 제출하세요. 다른 레벨은 그 실행에서 다시 실행하세요";
        OtherScore { metric, told, found } = "{metric} is {told} in the report, and {found} by its logs and the answers of the judges", "보고서의 {metric} 값은 {told}이지만 로그와 심판의 답으로는 {found}입니다";
        ScoreLogs {} = "score the logs again with `koab evaluate`", "`koab evaluate`로 로그를 다시 채점하세요";
        OtherText {} = "the file is not what the report as data gives", "파일이 데이터 보고서와 일치하지 않습니다";
        OtherRow { column, told, found } = "the row has {told} under {column}, the report gives {found}", "행의 {column} 값은 {told}이지만 보고서로는 {found}입니다";
        NoRow {} = "the row of the combined table is not there or has another header", "통합 표의 행이 없거나 머리글이 다릅니다";
        Changed {} = "the file is not the one that was prepared", "준비할 때의 파일이 아닙니다";
        Gone {} = "the file is not there", "파일이 없습니다";
        OtherPrompts {} = "the prompts that the judges were asked with are not the published ones", "심판에게 물은 프롬프트가 공개된 것과 다릅니다";
        PromptsUnknown { reason } = "whether the judges were asked with the published prompts is not known: {reason}", "심판에게 공개된 프롬프트로 물었는지 알 수 없습니다: {reason}";
        PackNotHere {} = "the pack is not installed", "팩이 설치되어 있지 않습니다";
        PackNotNamed {} = "the run does not name its pack", "실행에 팩 이름이 적혀 있지 않습니다";
        JudgeFailed { count, first } = "{count} answers of judges are errors that count as the worst grade, the first: {first}", "심판의 답 {count}개가 오류이며 최저점으로 계산되었습니다. 첫 오류: {first}";
        SkippedTasks { count } = "{count} tasks could not be scored at all and are in no mean", "과제 {count}개는 채점할 수 없어 어느 평균에도 들어 있지 않습니다";
        LookAtLog {} = "look at the log of the level, then run and score the level again", "레벨의 로그를 확인한 뒤 그 레벨을 다시 실행하고 채점하세요";
        NoScorerLog { metric } = "{metric} has no value", "{metric} 값이 없습니다";
    }
}

#[cfg(test)]
mod tests {
    use super::Told;
    use crate::sentence;

    #[test]
    fn every_sentence_comes_back_in_korean() {
        assert_eq!(sentence::faults(&[Told::PHRASES]), Vec::<String>::new());
    }
}

//! Every sentence of a verdict, in both languages: reasons, what to do about them, and why something is not known.

crate::sentences! {
    /// What a verdict says.
    pub enum Said {
        // Why something is not known.
        MadeElsewhere {} = "the logs were made elsewhere and do not say it", "다른 곳에서 만든 로그에는 적혀 있지 않습니다";
        RunNotHere {} = "the run is not in this workspace", "이 작업 공간에 그 실행이 없습니다";
        EarlierVersion {} = "the run was made by a version that did not write it down", "이를 기록하지 않던 버전에서 만든 실행입니다";
        RunUnreadable { error } = "the run's files cannot be read: {error}", "실행의 파일을 읽을 수 없습니다: {error}";
        FileNamesNoJudge {} = "the report's file does not name them", "보고서 파일에 적혀 있지 않습니다";
        OnlySums {} = "the report's file has no single tasks", "보고서 파일에 과제별 내용이 없습니다";

        // Tasks and tools.
        OtherTasks { pack } = "the tasks of pack {pack} are not the published ones", "팩 {pack}의 과제는 공개된 과제와 다릅니다";
        TasksUnknown { reason } = "whether the tasks are the published ones is not known: {reason}", "과제가 공개된 것과 같은지 알 수 없습니다: {reason}";
        OtherTools { tools } = "the name, description or schema of offered tools is not the published one: {tools}", "제공한 도구의 이름, 설명 또는 스키마가 공개된 것과 다릅니다: {tools}";
        ToolsUnknown { reason } = "whether the texts of the tools are the published ones is not known: {reason}", "도구 설명이 공개된 것과 같은지 알 수 없습니다: {reason}";

        // Protocol and settings.
        CorrectedProtocol {} = "the run follows the corrected protocol, the leaderboard's runs follow the published one", "교정 프로토콜로 실행했습니다. 리더보드의 실행은 공개된 프로토콜을 따릅니다";
        SettingsUnknown { reason } = "how the run was started (protocol, steps, time, sampling) is not known: {reason}", "실행 설정(프로토콜, 단계, 시간, 샘플링)을 알 수 없습니다: {reason}";
        Steps { steps } = "an attempt could take {steps} model turns instead of the published 10", "시도마다 모델 턴을 {steps}회까지 허용했습니다(공개된 실행은 10회)";
        FullRollout {} = "in L6 and L7 the model played every turn, in the published runs only the last", "L6와 L7에서 모델이 모든 턴을 진행했습니다. 공개된 실행은 마지막 턴만 진행합니다";
        Constrained {} = "the model was held to well-formed tool calls, which no published run was", "모델이 형식에 맞는 도구 호출만 하도록 제한했습니다. 공개된 실행에는 이런 제한이 없습니다";
        TimeLimit { seconds } = "a task could take {seconds} s instead of the published 60", "과제마다 {seconds}초를 주었습니다(공개된 실행은 60초)";
        Repetitions { count } = "each task was tried {count} times instead of once, so pass@k means something else", "과제마다 한 번이 아니라 {count}번 시도해 pass@k의 뜻이 다릅니다";
        Temperature { value } = "the sampling temperature was {value} instead of the published 0.7", "샘플링 온도가 {value}였습니다(공개된 실행은 0.7)";
        OutputLimit { tokens } = "an answer could have {tokens} tokens instead of the published 1024", "답변의 출력 한도가 {tokens}토큰이었습니다(공개된 실행은 1024토큰)";
        Effort { effort } = "the reasoning effort was set to {effort}; of the published runs only gpt-5 had one, low", "추론 강도를 {effort}(으)로 정했습니다. 공개된 실행 중에는 gpt-5만 low로 정했습니다";
        RunWith { option } = "run again with {option}", "{option}(으)로 다시 실행하세요";
        RunWithout { option } = "run again without {option}", "{option} 없이 다시 실행하세요";

        // Recordings.
        CallsUnknown { reason } = "how the tool calls were answered is not known: {reason}", "도구 호출에 어떻게 응답했는지 알 수 없습니다: {reason}";
        FewMisses { miss, asked, touched, attempts } = "{miss} of {asked} calls found no recorded answer, in {touched} of {attempts} attempts: too few to part two models", "기록을 조회한 호출 {asked}회 중 {miss}회에 응답이 없었고 시도 {attempts}회 중 {touched}회가 그 영향을 받았습니다. 두 모델의 차이를 만들기에는 적은 수입니다";
        SomeMisses { miss, asked, rate, touched, attempts } = "{miss} of {asked} calls found no recorded answer ({rate} did), in {touched} of {attempts} attempts; the published runs were made with the real services and missed next to none", "기록을 조회한 호출 {asked}회 중 {miss}회에 응답이 없었고(응답률 {rate}) 시도 {attempts}회 중 {touched}회가 그 영향을 받았습니다. 공개된 실행은 실제 서비스로 만들어 거의 놓치지 않았습니다";
        ManyMisses { miss, asked, rate, touched, attempts } = "{miss} of {asked} calls found no recorded answer ({rate} did), in {touched} of {attempts} attempts: the score says more about the recordings than about the model", "기록을 조회한 호출 {asked}회 중 {miss}회에 응답이 없었고(응답률 {rate}) 시도 {attempts}회 중 {touched}회가 그 영향을 받았습니다. 이 점수는 모델보다 기록의 빈틈을 더 많이 나타냅니다";
        FillMisses {} = "record what is missing with your own service keys (`koab cache fill RUN`) and run again, or compare with runs that had the same recordings", "자신의 서비스 키로 빠진 응답을 기록해(`koab cache fill RUN`) 다시 실행하거나, 같은 기록을 쓴 실행끼리 비교하세요";
        LiveAnswers { count, asked } = "{count} of {asked} calls were answered by the real services or what is kept of them, at another time than the published runs", "호출 {asked}회 중 {count}회는 실제 서비스나 저장해 둔 응답이 답했습니다. 공개된 실행과는 시점이 다릅니다";
        SameTime {} = "compare with runs on the same snapshot, or made in write mode at the same time", "같은 스냅샷을 쓴 실행이나 같은 때 쓰기 모드로 만든 실행과 비교하세요";
        FromSnapshot { name } = "tool calls were answered from the snapshot {name} instead of the published recordings", "도구 호출에 공개된 기록 대신 스냅샷 {name}(으)로 응답했습니다";
        OtherRecords { pack } = "the recorded answers of pack {pack} are not the published ones", "팩 {pack}의 기록된 응답은 공개된 것과 다릅니다";
        RecordsUnknown { reason } = "whether the recorded answers are the published ones is not known: {reason}", "기록된 응답이 공개된 것과 같은지 알 수 없습니다: {reason}";

        // What was run and scored.
        LevelsLeftOut { levels } = "levels are left out: {levels}", "빠진 레벨이 있습니다: {levels}";
        RunLevels { levels } = "run and score {levels} as well; until then compare single levels, not the composite score", "{levels}도 실행하고 채점하세요. 그전에는 종합 점수가 아니라 레벨별로만 비교하세요";
        TasksLeftOut { missing, all } = "{missing} of the {all} published tasks of these levels are left out", "이 레벨들의 공개된 과제 {all}개 중 {missing}개가 빠져 있습니다";
        RunAllTasks {} = "run and score all tasks of these levels", "이 레벨들의 모든 과제를 실행하고 채점하세요";
        CoverageUnknown { reason } = "which tasks were scored is not known: {reason}", "어느 과제를 채점했는지 알 수 없습니다: {reason}";
        Unfinished { done, planned } = "only {done} of {planned} attempts were made", "시도 {planned}회 중 {done}회만 마쳤습니다";
        Resume {} = "finish the run with `koab run --resume`, then score it again", "`koab run --resume`으로 실행을 마친 뒤 다시 채점하세요";
        Failed { failed, planned } = "{failed} of {planned} attempts failed for technical reasons and count as lost", "시도 {planned}회 중 {failed}회가 기술적인 이유로 실패해 실패로 계산되었습니다";
        RunAgain {} = "repeat them with `koab run --resume`, then score the run again", "`koab run --resume`으로 다시 시도한 뒤 다시 채점하세요";

        // Scoring.
        CorrectedScorer {} = "the report follows the corrected rules of scoring, whose numbers mean other things than the leaderboard's", "교정 채점 방식의 보고서라 수치의 뜻이 리더보드와 다릅니다";
        ScoreAsPublished {} = "score the run with `--scorer leaderboard`", "`--scorer leaderboard`로 채점하세요";
        NoJudge {} = "no judge was asked: the judged metrics have no value, and the composite score neither", "심판에게 묻지 않아 심판이 필요한 지표와 종합 점수가 없습니다";
        OtherJudges { judges } = "the judges are {judges}, the leaderboard's is azure/gpt-4.1-mini alone", "심판이 {judges}입니다. 리더보드의 심판은 azure/gpt-4.1-mini 하나입니다";
        ScoreWithPublishedJudge {} = "score with `--judge-models azure/gpt-4.1-mini`, which needs no new run, or compare only metrics that ask no judge", "`--judge-models azure/gpt-4.1-mini`로 다시 채점하거나(다시 실행할 필요는 없습니다) 심판이 필요 없는 지표만 비교하세요";
        SameJudgeElsewhere { judge } = "the judge {judge} is the leaderboard's model at another host", "심판 {judge}은(는) 리더보드의 심판과 같은 모델이며 제공처만 다릅니다";
        JudgesUnknown { reason } = "who judged is not known: {reason}", "누가 심판이었는지 알 수 없습니다: {reason}";
        OtherVotes { votes } = "the success judge was asked {votes} times a task instead of 3", "성공 여부를 과제마다 3번이 아니라 {votes}번 물었습니다";
        ScoreWithVotes {} = "score with `--judge-votes 3`", "`--judge-votes 3`으로 채점하세요";
        Unscored { count } = "judges left {count} scores of tasks open", "심판이 답하지 않은 과제별 점수가 {count}개 있습니다";
        ScoreAgain {} = "score again: only the missing answers are asked for", "다시 채점하세요. 빠진 답만 다시 묻습니다";
        OwnFamily { judge, maker } = "the judge {judge} grades a model of its own maker ({maker})", "심판 {judge}이(가) 같은 회사({maker})의 모델을 채점했습니다";

        // What to do about what is not known, and about other data.
        UsePublished {} = "import the published repository with `koab pack import` and run with that pack", "`koab pack import`로 공개 저장소를 가져와 그 팩으로 실행하세요";
        RunHere {} = "run the model here: runs of this version write all of it down", "여기서 모델을 실행하세요. 이 버전의 실행은 이를 모두 기록합니다";
        BringRun {} = "import the run's logs as well, or score the run here", "실행의 로그도 가져오거나 여기서 채점하세요";

        // One with the other.
        DifferScorer { one, other } = "they are scored by different rules: {one}, {other}", "채점 방식이 다릅니다: {one}, {other}";
        DifferProtocol { one, other } = "they were run under different protocols: {one}, {other}", "실행 프로토콜이 다릅니다: {one}, {other}";
        DifferTasks { one, other } = "their tasks are not the same: packs {one}, {other}", "과제가 서로 다릅니다: 팩 {one}, {other}";
        DifferTools { tools } = "their tools are not described the same: {tools}", "도구 설명이 서로 다릅니다: {tools}";
        DifferSetting { one, other } = "they were started differently: {one}, {other}", "실행 설정이 다릅니다: {one}, {other}";
        DifferRecordings { one, other } = "their calls were answered from different recordings: {one}, {other}", "도구 호출에 응답한 기록이 다릅니다: {one}, {other}";
        DifferMisses { one, other } = "missing records hit them unequally: {one} and {other} of their attempts", "기록이 없는 호출의 영향이 고르지 않습니다: 시도의 {one}, {other}";
        DifferTimes {} = "both had calls answered by real services, each at its own time", "둘 다 실제 서비스가 답한 호출이 있으며 시점이 서로 다릅니다";
        DifferLevels { one, other } = "they have different levels: {one}; {other}", "레벨이 다릅니다: {one}; {other}";
        DifferCoverage { levels } = "they have different tasks of {levels}", "{levels}의 과제가 서로 다릅니다";
        DifferJudges { one, other } = "they have different judges: {one}; {other}", "심판이 다릅니다: {one}; {other}";
        DifferVotes { one, other } = "their success judges were asked differently often: {one}, {other}", "성공 여부를 물은 횟수가 다릅니다: {one}, {other}";
        DifferAggregate { one, other } = "grades of several judges were combined differently: {one}, {other}", "여러 심판의 점수를 합친 방식이 다릅니다: {one}, {other}";
        Nobody {} = "no judge at all", "심판 없음";
        ScoreAlike {} = "score both by the same rules; no model is run again for that", "둘을 같은 방식으로 채점하세요. 모델을 다시 실행할 필요는 없습니다";
        JudgeAlike {} = "score both with the same judges; no model is run again for that", "둘을 같은 심판으로 채점하세요. 모델을 다시 실행할 필요는 없습니다";
        RunAlike {} = "run one of them again as the other was run", "하나를 다른 하나와 같은 조건으로 다시 실행하세요";
        CompareCommon {} = "compare only what both have", "둘 다 있는 것만 비교하세요";
    }
}

#[cfg(test)]
mod tests {
    use super::Said;
    use crate::sentence;

    #[test]
    fn every_sentence_comes_back_in_korean() {
        assert_eq!(sentence::faults(&[Said::PHRASES]), Vec::<String>::new());
    }
}

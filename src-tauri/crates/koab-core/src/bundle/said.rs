//! What is said of a bundle, in both languages. Each goes on from the place that it is about.

crate::sentences! {
    /// What was found in a bundle.
    pub enum Said {
        // The manifest.
        NoManifest { error } = "is no manifest of a bundle: {error}", "번들의 목록 파일이 아닙니다: {error}";
        OtherFormat { found, known } = "is of bundle format {found}, and this version reads format {known}; update koab", "번들 형식이 {found}인데 이 버전은 형식 {known}을(를) 읽습니다. koab을 업데이트하세요";
        OtherKind { found } = "is a bundle of `{found}`, and this version knows bundles of a `run`", "`{found}`의 번들인데 이 버전은 `run`의 번들만 압니다";
        OtherSpelling {} = "is not spelled as koab writes it, so it was changed by something else", "koab이 쓰는 표기와 다릅니다. 다른 것이 고친 파일입니다";
        BadName { why } = "the manifest names a file that {why}", "목록에 있는 파일 이름을 쓸 수 없습니다({why})";
        NotItself {} = "the manifest names itself or its signature, which it cannot hold the hash of", "목록이 자신이나 서명을 가리킵니다. 그 해시는 담을 수 없습니다";
        NamedTwice {} = "the manifest names this file twice, letter case aside", "목록에 같은 파일이 두 번 있습니다(대소문자 무시)";
        OutOfOrder {} = "does not list its files in the order of their names", "파일이 이름 순서로 적혀 있지 않습니다";
        ManifestHeld { program } = "is a manifest of format 1, made by {program}", "형식 1의 목록이며 {program}이(가) 만들었습니다";

        // Files.
        FileMissing {} = "the manifest names this file and the bundle does not hold it", "목록에는 있지만 번들에는 없는 파일입니다";
        FileExtra {} = "the bundle holds this file and the manifest does not name it", "번들에는 있지만 목록에는 없는 파일입니다";
        FileSize { found, stated } = "holds {found} bytes where the manifest says {stated}", "{found}바이트인데 목록에는 {stated}바이트로 적혀 있습니다";
        FileHash {} = "the content does not have the hash that the manifest says; it was changed or damaged", "내용의 해시가 목록과 다릅니다. 바뀌었거나 손상되었습니다";
        FileUnknown {} = "is a file that no bundle has", "번들에 있을 수 없는 파일입니다";
        FileUnreadable { error } = "cannot be read: {error}", "읽을 수 없습니다: {error}";
        FilesHeld { count, bytes } = "{count} files have the {bytes} bytes and the hashes that the manifest says", "파일 {count}개의 크기(모두 {bytes}바이트)와 해시가 목록과 같습니다";

        NotFirst {} = "is not the first entry, as it is in a bundle", "번들에서는 첫 번째 항목이어야 하는데 그렇지 않습니다";
        EntriesMoved {} = "names the files in another order than the archive holds them", "목록의 파일 순서가 압축 파일의 순서와 다릅니다";
        ContainerHeld { count } = "{count} plain entries lie one after the other, with nothing between or around them", "항목 {count}개가 사이에 다른 것 없이 차례로 들어 있습니다";

        // The signature.
        Unsigned {} = "the bundle is not signed: nothing says who made it", "서명이 없어 누가 만들었는지 알 수 없습니다";
        SignatureMissing { key } = "the bundle is not signed, and a signature of {key} was asked for", "서명이 없습니다. {key}의 서명이 있어야 합니다";
        SignatureWrong {} = "is no signature of this manifest by the key that it names", "서명에 적힌 키로 이 목록에 한 서명이 아닙니다";
        SignatureOther { key, wanted } = "the bundle is signed by {key}, and a signature of {wanted} was asked for", "{key}이(가) 서명했습니다. {wanted}의 서명이 있어야 합니다";
        SignedBy { key } = "the manifest is signed by the key {key}; whose key that is, you must know", "키 {key}(으)로 서명되었습니다. 누구의 키인지는 직접 알아야 합니다";
        SignedByWanted { key } = "the manifest is signed by the key that was asked for, {key}", "요청한 키 {key}(으)로 서명되었습니다";

        // The pack.
        TasksChanged { found, stated } = "the tasks are not those of the run: their hash is {found}, the run wrote down {stated}", "실행할 때의 과제가 아닙니다. 해시가 {found}인데 실행은 {stated}을(를) 적었습니다";
        ToolChanged { tool } = "the text of the tool {tool} is not the one that the run offered", "도구 {tool}의 설명이 실행에서 보여 준 것과 다릅니다";
        ToolLost { tool } = "the tool {tool}, which the run offered, is not in the catalog", "실행에서 보여 준 도구 {tool}이(가) 도구 목록에 없습니다";
        PackHeld { tasks, tools } = "{tasks} tasks and {tools} tools are those that the run wrote down", "과제 {tasks}개와 도구 {tools}개가 실행이 적어 둔 것과 같습니다";
        PackUnknown {} = "the run did not write down the hashes of its tasks and tools, because it was made elsewhere or by an earlier version", "다른 곳이나 이전 버전에서 만든 실행이라 과제와 도구의 해시가 적혀 있지 않습니다";
        NoPrompts { error } = "the prompts of the judges cannot be used: {error}", "심판 프롬프트를 쓸 수 없습니다: {error}";

        // The run's description and its journal.
        NoDescription {} = "the run was made elsewhere: there is neither run.json nor a journal, so the logs are held against nothing but themselves and the reports", "다른 곳에서 만든 실행이라 run.json과 기록이 없습니다. 로그는 그 자체와 보고서로만 확인합니다";
        HalfDescribed {} = "run.json and journal.jsonl belong together, and one of them is missing", "run.json과 journal.jsonl은 함께 있어야 하는데 하나가 없습니다";
        JournalLine { line, error } = "line {line} is none of a journal: {error}", "{line}번째 줄이 기록의 줄이 아닙니다: {error}";
        JournalCutOff {} = "the last line is cut off", "마지막 줄이 잘렸습니다";
        JournalNoRun {} = "does not begin with the settings of a run", "실행 설정으로 시작하지 않습니다";
        RunDiffers { here, there } = "says {here}, and the journal {there}", "값이 {here}인데 기록에는 {there}(으)로 되어 있습니다";
        RunHeld { attempts } = "agrees with the journal on the settings, the outcome and the counts of {attempts} attempts", "설정, 결과, 시도 {attempts}회의 집계가 기록과 같습니다";
        UnplannedAttempt {} = "is an attempt at a task that the run did not plan", "실행 계획에 없는 과제의 시도입니다";
        StepsDiffer { step } = "step {step} is not as it was written down when it happened", "{step}번째 단계가 진행 당시 적힌 것과 다릅니다";
        StepsMissing { found, steps } = "has {steps} steps, and {found} were written down when they happened", "단계가 {steps}개인데 진행 당시 적힌 것은 {found}개입니다";
        AnswerDiffers {} = "the answer is not what the last step said", "답이 마지막 단계의 말과 다릅니다";
        MessagesDiffer { number } = "message {number} of the conversation is not what the steps and calls said", "대화의 {number}번째 메시지가 단계나 호출의 내용과 다릅니다";
        JournalHeld { attempts, steps } = "{attempts} attempts are made of the {steps} steps that were written down as they happened", "시도 {attempts}회가 진행하면서 적힌 단계 {steps}개와 맞습니다";

        // Logs.
        LogMissing {} = "the run has attempts at this level and no log of it", "이 레벨의 시도가 있는데 로그가 없습니다";
        LogBroken { error } = "is no run log: {error}", "실행 로그로 읽을 수 없습니다: {error}";
        LogDiffers { at, here, there } = "{at} is {here}, and the journal makes it {there}", "{at}의 값이 {here}인데 기록으로 다시 만들면 {there}입니다";
        LogUnplanned {} = "is the log of a level that the run did not plan", "실행 계획에 없는 레벨의 로그입니다";
        LogSpelled {} = "says the same as the journal in another spelling than the one that runs are written in", "내용은 기록과 같지만 실행이 쓰는 표기와 다릅니다";
        LogModel { here, there } = "is of the model {here}, and other logs are of {there}", "모델이 {here}인데 다른 로그의 모델은 {there}입니다";
        LogLevel { stated } = "says that it is of {stated}", "{stated}의 로그라고 적혀 있습니다";
        LogCount { key, stated, found } = "`metadata.{key}` is {stated}, and its tasks make it {found}", "`metadata.{key}`가 {stated}인데 과제를 세면 {found}입니다";
        LogTwice { task } = "has the task {task} twice", "과제 {task}이(가) 두 번 있습니다";
        LogsRebuilt { levels, tasks } = "{levels} level logs with {tasks} tasks are what the journal makes, byte for byte", "레벨 로그 {levels}개(과제 {tasks}개)가 기록으로 다시 만든 것과 바이트까지 같습니다";
        LogsCounted { levels, tasks } = "{levels} level logs with {tasks} tasks agree with their own counts", "레벨 로그 {levels}개(과제 {tasks}개)가 자체 집계와 맞습니다";

        // Calls.
        CallNoRecord { tool } = "the call of {tool} was answered from a recording that the bundle does not hold for these arguments", "{tool} 호출에 응답한 기록이 번들에 없습니다(같은 인자 기준)";
        CallDiffers { tool } = "the answer to the call of {tool} is not what the recording says", "{tool} 호출의 응답이 기록된 응답과 다릅니다";
        CallNotInjected { tool } = "the call of {tool} failed as if by injection, and the task injects no such failure", "{tool} 호출이 주입된 실패로 적혀 있지만 과제에 그런 주입이 없습니다";
        CallOtherError { tool } = "the call of {tool} failed with another error than its arguments, the tool texts and the recordings give", "{tool} 호출의 오류가 인자, 도구 설명, 기록에서 나오는 오류와 다릅니다";
        CallAnsweredAfterAll { tool } = "the call of {tool} found no recording, and the bundle holds one for it", "{tool} 호출은 기록을 찾지 못했다는데 번들에 그 기록이 있습니다";
        CallOutcome { tool } = "the call of {tool} cannot be both: a success with an error, or a failure with a result", "{tool} 호출이 오류가 있는 성공이거나 결과가 있는 실패입니다";
        RecordBroken { line, error } = "line {line} is no recording: {error}", "{line}번째 줄이 기록된 응답이 아닙니다: {error}";
        RecordTwice { line } = "line {line} records a call that is recorded before", "{line}번째 줄이 앞에서 이미 기록한 호출입니다";
        RecordKey { line } = "line {line} says that its key is of the current tool text, and it is not", "{line}번째 줄의 키가 현재 도구 설명의 것이라는데 그렇지 않습니다";
        RecordUnused { line } = "line {line} records a call that the run did not make", "{line}번째 줄이 실행에서 하지 않은 호출의 기록입니다";
        CallsHeld { calls } = "{calls} tool calls have the answers that the recordings, the tool texts and the tasks give", "도구 호출 {calls}회의 응답이 기록, 도구 설명, 과제에서 나오는 것과 같습니다";
        CallsLive { calls } = "{calls} tool calls were answered by real services or what is kept of them, which nobody can ask again as they were", "도구 호출 {calls}회는 실제 서비스나 저장해 둔 응답이 답했고, 그때 상태로 다시 물을 수 없습니다";
        CallsLost { calls } = "the recordings behind {calls} tool calls were gone when the bundle was made, as its manifest says", "도구 호출 {calls}회의 기록은 번들을 만들 때 이미 없었습니다(목록에 적혀 있습니다)";
        CallsElsewhere { calls } = "how {calls} tool calls were answered was not written down where the run was made", "도구 호출 {calls}회에 어떻게 응답했는지 실행한 곳에서 적지 않았습니다";

        // Verdicts.
        VerdictBroken { line, error } = "line {line} is no verdict: {error}", "{line}번째 줄이 판정이 아닙니다: {error}";
        VerdictNoQuestion { line, task, metric } = "line {line} answers a question on {task} for {metric}, which this run does not ask", "{line}번째 줄은 {task}의 {metric} 질문에 대한 답인데 이 실행에는 그런 질문이 없습니다";
        VerdictOther { line, task, metric } = "line {line} is the verdict on another question than the one that the log and the prompts give for {task}, {metric}", "{line}번째 줄은 로그와 프롬프트로 만든 {task}, {metric} 질문이 아니라 다른 질문에 대한 판정입니다";
        VerdictLevel { line, task } = "line {line} puts the task {task} into another level", "{line}번째 줄이 과제 {task}을(를) 다른 레벨에 두었습니다";
        VerdictStranger { line, judge } = "line {line} is by {judge}, who is no judge of the report", "{line}번째 줄의 {judge}은(는) 보고서의 심판이 아닙니다";
        VerdictVote { line } = "line {line} is a vote that was given before, or one more than are asked for", "{line}번째 줄은 이미 있는 표이거나 묻는 수를 넘는 표입니다";
        VerdictsNoReport {} = "holds verdicts for a report that the bundle does not hold", "번들에 없는 보고서의 판정입니다";
        VerdictsHeld { verdicts, questions } = "{verdicts} verdicts answer the {questions} questions that the logs and the prompts give", "판정 {verdicts}개가 로그와 프롬프트로 만든 질문 {questions}개에 대한 답입니다";
        VerdictsNone {} = "the report has no judges, so there is no verdict to hold against anything", "심판이 없는 보고서라 확인할 판정이 없습니다";

        // Reports.
        NoReports {} = "holds no report: there is no number to compute again", "보고서가 없어 다시 계산할 수치가 없습니다";
        ReportMissing {} = "the manifest speaks of this report and the bundle does not hold it", "목록에는 있지만 번들에는 없는 보고서입니다";
        OthersJudged {} = "the manifest says that others judged than those whom the report names, and it was made without judges", "보고서에 적힌 심판이 아닌 다른 심판이 판정했다고 적혀 있지만 심판 없이 만든 보고서입니다";
        JudgesAreNamed {} = "the manifest says that others judged than those whom the report names, and it comes out the same by those", "보고서에 적힌 심판이 아닌 다른 심판이 판정했다고 적혀 있지만 적힌 심판만으로 같은 보고서가 나옵니다";
        ReportUnnamed {} = "is a report that the manifest does not speak of", "목록에 없는 보고서입니다";
        ReportBroken { error } = "is no report: {error}", "보고서로 읽을 수 없습니다: {error}";
        ReportScorer { stated } = "lies where the other scorer's report belongs: it was scored by the {stated} rules", "다른 채점 방식의 자리에 있습니다. {stated} 방식으로 채점한 보고서입니다";
        ReportModel { here, there } = "is of the model {here}, and the run is of {there}", "모델이 {here}인데 실행의 모델은 {there}입니다";
        ReportLevel { level } = "has {level}, of which the bundle holds no log", "{level}이(가) 있지만 번들에 그 로그가 없습니다";
        ReportLine { line, here, there } = "line {line} is `{here}`, and computing it again gives `{there}`", "{line}번째 줄이 `{here}`인데 다시 계산하면 `{there}`입니다";
        ReportDiffers { at, here, there } = "{at} is {here}, and computing it again gives {there}", "{at}의 값이 {here}인데 다시 계산하면 {there}입니다";
        ReportSpelled {} = "says the same as the scoring in another spelling than the one that reports are written in", "내용은 다시 채점한 것과 같지만 보고서의 표기와 다릅니다";
        ReportHeld { metrics, judged } = "{metrics} values are the same when they are computed again, bit for bit, {judged} of them from the verdicts", "다시 계산한 값 {metrics}개가 비트까지 같으며, 그중 {judged}개는 판정으로 계산했습니다";
        ReportReordered { metrics, judged } = "{metrics} values are the same when they are computed again, bit for bit, {judged} of them from the verdicts; lists without an order are in another one", "다시 계산한 값 {metrics}개가 비트까지 같으며, 그중 {judged}개는 판정으로 계산했습니다. 순서가 없는 목록만 순서가 다릅니다";

        // Files for a leaderboard.
        SubmissionBroken { error } = "is no description of a submission: {error}", "제출물의 설명으로 읽을 수 없습니다: {error}";
        SubmissionGone {} = "submission.json names this file and the bundle does not hold it", "submission.json에는 있지만 번들에는 없는 파일입니다";
        SubmissionChanged {} = "is not the file that submission.json has the hash of", "submission.json에 적힌 해시의 파일이 아닙니다";
        SubmissionNoReport { scorer } = "is of a report by the {scorer} rules, which the bundle does not hold", "{scorer} 방식으로 채점한 보고서의 제출물인데 번들에 그 보고서가 없습니다";
        SubmissionResults { level } = "`results.{level}` is not what computing the report again gives", "`results.{level}`의 값이 보고서를 다시 계산한 것과 다릅니다";
        SubmissionRow {} = "is not the row that the report gives", "보고서에서 나오는 행이 아닙니다";
        SubmissionCell { column, here, there } = "has {here} under {column}, and the report gives {there}", "{column} 값이 {here}인데 보고서로는 {there}입니다";
        SubmissionHeld { columns } = "the row of {columns} columns, the results and the texts are those of the report", "열 {columns}개의 행과 결과, 글이 보고서와 맞습니다";

        // The subject.
        SubjectDiffers { at, here, there } = "`subject.{at}` is {here}, and the files say {there}", "`subject.{at}`의 값이 {here}인데 파일에는 {there}(으)로 되어 있습니다";
        RunOfOther { run, model } = "`subject.run` is {run}, and a run of {model} is in another folder", "`subject.run`의 값이 {run}인데 {model}의 실행은 다른 폴더에 있습니다";
        RunNoDate { run } = "`subject.run` is {run}, whose second part is no date as `20251219_135528`", "`subject.run`의 값이 {run}인데 뒷부분이 `20251219_135528` 같은 날짜가 아닙니다";
        RunOtherTime { at, here, there } = "`{at}` is {here}, more than a day from {there} in the files", "`{at}`의 값이 {here}인데 파일에 적힌 {there}에서 하루가 넘게 떨어져 있습니다";
        LogNoTime { here } = "`metadata.timestamp` is {here}, which is no time as `2025-12-19T13:55:28`", "`metadata.timestamp`의 값이 {here}인데 `2025-12-19T13:55:28` 같은 시각이 아닙니다";
        CreatedDiffers { here, there } = "`created` is {here}, and the files say {there}", "`created`의 값이 {here}인데 파일에는 {there}(으)로 되어 있습니다";
        SubjectOwnWord {} = "`made_by`, the time of day in the run's name and, to within a day, when its logs were written and when it ended are the bundle's own word: nothing else in it holds them", "`made_by`, 실행 이름에 있는 시각, 그리고 하루 이내의 범위에서 로그를 쓴 시각과 실행이 끝난 시각은 번들이 스스로 밝힌 값이며 번들 안의 다른 것으로 확인할 수 없습니다";
        SubjectHeld {} = "what is said of the run agrees with the files", "실행에 대해 적힌 내용이 파일과 같습니다";
        WithoutWrong { what, stated, found } = "says that {stated} of {what} are missing, and {found} are", "{what} 중 {stated}개가 없다고 적혀 있지만 실제로는 {found}개가 없습니다";
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

//! What causes are called where the engine itself writes them: tables, pictures, the terminal.

/// A cause in both languages.
pub(super) struct Label {
    pub(super) english: &'static str,
    pub(super) english_rule: &'static str,
    pub(super) korean: &'static str,
    pub(super) korean_rule: &'static str,
}

macro_rules! labels {
    ($($english:literal, $english_rule:literal, $korean:literal, $korean_rule:literal;)*) => {
        /// In the order of the causes.
        pub(super) const LABELS: &[Label] = &[$(Label {
            english: $english, english_rule: $english_rule, korean: $korean, korean_rule: $korean_rule,
        }),*];
    };
}

labels! {
    "Timed out", "The attempt’s error or end says that its time was up.",
    "시간 초과", "시도의 오류나 종료 이유가 제한 시간 초과입니다.";
    "Model server failed", "The attempt ended with an error and without an answer.",
    "모델 서버 오류", "답 없이 오류로 끝난 시도입니다.";
    "Stopped", "The user or the budget ended the attempt.",
    "중단됨", "사용자나 예산 한도가 시도를 끝냈습니다.";
    "Repetition failed", "A repetition after the first ended without an answer (pass@k).",
    "반복 실패", "첫 번째 이후의 반복이 답 없이 끝났습니다(pass@k).";
    "Judge failed", "A verdict on a lost metric is an error; the leaderboard counts it as a no.",
    "심판 오류", "점수를 잃은 지표의 판정이 오류입니다. 리더보드는 이를 반대표로 셉니다.";
    "Seeded answer", "Multi-turn: the final response is an answer of the dataset, since the model said nothing.",
    "데이터셋의 답", "여러 턴 과제에서 모델이 아무 말도 하지 않아 데이터셋의 답이 최종 응답이 되었습니다.";
    "Empty answer", "The final response has fewer than three characters.",
    "빈 답변", "최종 응답이 세 글자 미만입니다.";
    "Step limit", "The attempt ended at its step limit, its last step still calling tools.",
    "단계 한도", "마지막 단계까지 도구를 호출하다가 단계 한도에서 끝났습니다.";
    "Answer cut off", "The answer ended at the output limit: the run says so, or it took 1,024 tokens or more and ends within a sentence.",
    "답변 잘림", "답변이 출력 한도에서 끊겼습니다. 기록에 그렇게 적혀 있거나, 1,024토큰 이상을 쓰고 문장 중간에서 끝납니다.";
    "Cache miss", "A call is marked as not recorded.",
    "캐시 미스", "기록된 응답이 없다고 표시된 호출입니다.";
    "Service failed", "A call failed, and neither the task, the pack nor the model’s arguments are the reason.",
    "도구 서비스 오류", "과제의 주입도, 팩도, 모델의 인자도 원인이 아닌 호출 실패입니다.";
    "Bad JSON", "The argument text of a call cannot be read.",
    "잘못된 JSON", "호출의 인자를 읽을 수 없습니다.";
    "Unknown tool", "A call names a tool that there is not.",
    "없는 도구", "존재하지 않는 도구를 불렀습니다.";
    "Argument refused", "A tool’s check refused an argument, or a required one is missing.",
    "인자 거부", "도구의 검사가 인자를 거부했거나 필수 인자가 빠졌습니다.";
    "Fallback not used", "L5: the injected failure was met, and no fallback tool was called.",
    "대체 도구 미사용", "L5: 주입된 실패를 만났지만 대체 도구를 호출하지 않았습니다.";
    "Injection not met", "L5: calls were made, none of them to the tool that is to fail.",
    "주입 도구 미호출", "L5: 호출은 했지만 실패하도록 된 도구를 부르지 않았습니다.";
    "Asked back", "SR was lost, and the answer asks the user for something that the task did not leave open, in one of a list of phrases.",
    "되물음", "SR을 잃었고, 답변이 정해진 표현으로 사용자에게 되묻습니다.";
    "Only announced", "SR was lost, and the answer’s last sentence announces work.",
    "예고만 함", "SR을 잃었고, 답변의 마지막 문장이 앞으로 하겠다는 예고입니다.";
    "Gave up", "SR was lost, and the answer says, in one of a list of phrases, that it could not be found or done.",
    "포기", "SR을 잃었고, 답변이 정해진 표현으로 찾거나 할 수 없다고 말합니다.";
    "Links instead of an answer", "SR was lost, and the answer sends the user to at least two links for what was asked.",
    "링크로 대신함", "SR을 잃었고, 답 대신 둘 이상의 링크로 안내합니다.";
    "Contradicts the results", "A judged metric was lost, and a time, price, date or name of the answer stands in no result and nowhere in the conversation.",
    "도구 결과와 모순", "심판 지표를 잃었고, 답변의 시간·가격·날짜·이름이 어떤 결과에도 대화에도 없습니다.";
    "No call", "The golden path wants a call, and none was made.",
    "호출 없음", "정답 경로에 호출이 있는데 하나도 호출하지 않았습니다.";
    "Wrong tool", "A call is to a tool that the golden path does not have.",
    "다른 도구", "정답 경로에 없는 도구를 호출했습니다.";
    "Missing call", "An entry of the golden path has no call.",
    "빠진 호출", "정답 경로의 항목에 해당하는 호출이 없습니다.";
    "Wrong order", "L3: a call stands for an entry that the path has at another place.",
    "순서 다름", "L3: 정답 경로의 다른 자리에 있는 호출입니다.";
    "Redundant call", "A call repeats an earlier one, tool and arguments.",
    "중복 호출", "앞선 호출과 도구와 인자가 같습니다.";
    "Failing tool retried", "L5: after the injected failure the same tool was called again.",
    "실패 도구 재시도", "L5: 주입된 실패 뒤에 같은 도구를 다시 호출했습니다.";
    "Late fallback", "L5: between failure and fallback lie more steps than the run’s form takes, without a retry.",
    "늦은 대체", "L5: 재시도가 없는데도 실패와 대체 호출 사이가 필요한 것보다 멉니다.";
    "Extra call", "A call beyond the golden path or beyond the least number.",
    "불필요한 호출", "정답 경로나 최소 횟수를 넘는 호출입니다.";
    "Nothing found", "A call succeeded and its result is empty or an error.",
    "결과 없음", "성공한 호출의 결과가 비었거나 오류 내용입니다.";
    "Wrong argument", "An argument of the graded call has another value than the golden one.",
    "틀린 인자", "채점되는 호출의 인자 값이 정답과 다릅니다.";
    "Missing argument", "The golden call has an argument that the graded call lacks.",
    "빠진 인자", "정답 호출의 인자가 채점되는 호출에 없습니다.";
    "Extra argument", "The graded call has an argument that the golden one lacks.",
    "더한 인자", "채점되는 호출에 정답에 없는 인자가 있습니다.";
    "Golden call differs from the task", "The model’s value stands in the task’s own words, and the golden value does not.",
    "정답과 과제가 다름", "모델이 준 값은 과제 문장에 그대로 있고, 정답 값은 과제 문장에 없습니다.";
    "Argument in another form", "The value is equal but for spaces, case, quotes, number format or precision.",
    "인자 형식 차이", "띄어쓰기, 대소문자, 따옴표, 숫자 형식이나 정밀도만 다릅니다.";
    "Default spelled out", "The arguments differ only by a default value that one side states.",
    "기본값 명시", "한쪽이 기본값을 적은 것만 다릅니다.";
    "Judged on the first question", "L7, leaderboard: the judge was shown the first turn’s question with the answer to the last, and denied it, while the judges of the whole conversation found little or no fault.",
    "첫 질문으로 판정", "L7 리더보드: 심판은 마지막 답을 첫 질문과 함께 보고 거부했지만, 대화 전체를 본 심판은 거의 흠을 찾지 못했습니다.";
    "Dataset’s turn first", "L7: the dataset’s own result of the tested turn stands before the model’s answer, and a judged metric was lost.",
    "데이터셋 턴 선행", "L7: 시험하는 턴의 데이터셋 결과가 모델의 답보다 먼저 들어 있고 심판 지표를 잃었습니다.";
    "New result against seeded", "L7: a call’s result has another value than the seeded result in the same field, and a grade was lost.",
    "심은 결과와 불일치", "L7: 호출 결과의 값이 대화에 심어 둔 결과의 같은 항목과 다르고 평점을 잃었습니다.";
    "Denied though backed", "SR was denied, and all that can be checked in the answer (at least nine of ten figures, dates, names) stands in the results that the model saw and the judge did not.",
    "근거 있는데 거부", "SR이 거부되었지만, 확인할 수 있는 내용(수치·날짜·이름의 90% 이상)이 모델이 본 결과에 있습니다. 심판은 그 결과를 보지 못합니다.";
    "Graded against the log", "ArgAcc is below 1 although the arguments are equal but for defaults and form.",
    "기록과 다른 채점", "인자가 기본값이나 형식 말고는 같은데 ArgAcc가 1보다 낮습니다.";
    "Judges split", "The votes or judges on a lost metric disagree.",
    "심판 의견 갈림", "점수를 잃은 지표에서 표나 심판의 판단이 갈렸습니다.";
}

//! What the lab says to people where there is no number.

crate::sentences! {
    /// Why the judge lab has no number.
    pub enum LabSaid {
        JudgeIncomplete { judge, answered, questions } = "{judge} has answered {answered} of the {questions} questions of these runs; judge the missing ones", "{judge}의 답은 이 실행들의 질문 {questions}개 중 {answered}개뿐입니다. 나머지를 판정하게 하세요";
        NoCompleteJudge {} = "no judge has answered all questions of these runs", "이 실행들의 질문에 모두 답한 심판이 없습니다";
        TwoComplete {} = "it takes two judges who have answered all questions of these runs", "이 실행들의 질문에 모두 답한 심판이 둘 이상이어야 합니다";
        NoWord {} = "nobody has said anything instead of the judges about these runs", "이 실행들에 대해 사람이 고친 판정이 없습니다";
        OneRun {} = "a ranking takes two runs or more", "순위에는 실행이 둘 이상 필요합니다";
        AllLevel {} = "all runs have the same score with one of the two", "둘 중 하나에서 모든 실행의 점수가 같습니다";
        NoScaleInCommon {} = "yes or no and grades have no scale in common", "예/아니요와 점수는 척도가 달라 함께 계산하지 않습니다";
        OneTaskOnly {} = "drawing one task again shows no spread", "과제가 하나뿐이라 다시 뽑아도 흩어짐을 알 수 없습니다";
        DrawsUndefined {} = "too many resamples of the tasks have only one kind of answer", "과제를 다시 뽑으면 답이 한 가지뿐인 경우가 너무 많습니다";
        NobodyReviewed {} = "no question of the queue has a person's answer yet", "대기열의 질문에 아직 사람이 답하지 않았습니다";
        NothingOfScale {} = "the person answered no such question that the judge answered too", "사람과 심판이 모두 답한 이런 질문이 없습니다";
    }
}

#[cfg(test)]
mod tests {
    use super::LabSaid;
    use crate::sentence::faults;

    #[test]
    fn every_sentence_comes_back_in_korean() {
        assert_eq!(faults(&[LabSaid::PHRASES]), Vec::<String>::new());
    }
}

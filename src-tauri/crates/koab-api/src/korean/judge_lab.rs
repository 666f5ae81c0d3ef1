//! The judge lab: runs under several judges, judging again, blind review.

use super::phrases;
use koab_core::sentence::Phrase;

pub(super) const PHRASES: &[Phrase] = phrases! {
    "name at least one run or report to look at" => "살펴볼 실행이나 보고서를 하나 이상 지정하세요",
    "name at most {most} runs and reports" => "실행과 보고서는 {most}개까지 지정하세요",
    "the runs do not have the same tasks, so their ranks compare different questions" => "실행마다 과제가 달라, 순위는 서로 다른 질문을 견준 것입니다",
    "the logs decide everything here; no judge has anything to say" => "로그만으로 모두 정해져 심판에게 물을 것이 없습니다",
    "name at least one judge as provider/model" => "심판을 제공자/모델 형식으로 하나 이상 지정하세요",
    "name who reviews" => "누가 검토하는지 쓰세요",
    "a queue has 1 to {most} questions" => "대기열의 질문은 1~{most}개입니다",
    "there is no question on which judges disagree; judge these runs with another judge first" => "심판이 갈린 질문이 없습니다. 먼저 다른 심판에게 이 실행들을 판정하게 하세요",
    "the queue {id} has questions 1 to {questions}, and no {number}" => "대기열 {id}의 질문은 1~{questions}번이고 {number}번은 없습니다",
    "the queue {id} was revealed, so an answer now would not be blind; make a new one" => "대기열 {id}은(는) 이미 공개되어 지금 답하면 가린 검토가 아닙니다. 새로 만드세요",
    "nothing of the queue {id} is answered yet; answer first, since afterwards it is not blind any more" => "대기열 {id}에 아직 답이 없습니다. 공개하면 더는 가린 검토가 아니므로 먼저 답하세요",
    "the queue {id} is blind yet; reveal it first" => "대기열 {id}은(는) 아직 가려져 있습니다. 먼저 공개하세요",
    "name who applies the answers" => "누가 답을 적용하는지 쓰세요",
    "the queue {id} in koab.sqlite is damaged: {error}" => "koab.sqlite의 대기열 {id}이(가) 손상되었습니다: {error}",
    "the question has changed since the queue was made, so the answer is not one to it" => "대기열을 만든 뒤 질문이 바뀌어 그 답을 쓸 수 없습니다",
    "question {number} asks for yes or no, or unsure, or nothing to skip it" => "{number}번 질문에는 예/아니요나 모름으로 답하거나 비워 두세요",
    "question {number} asks for a grade from 1 to 5, or unsure, or nothing to skip it" => "{number}번 질문에는 1~5점이나 모름으로 답하거나 비워 두세요",
    "there is no queue {id}; `koab judge queues` lists those there are" => "대기열 {id}이(가) 없습니다. `koab judge queues`로 목록을 보세요",
    "a queue is exported as csv or json, not as {format}" => "대기열은 csv나 json으로 내보냅니다({format} 아님)",
    "the queue {id} has no question {number}" => "대기열 {id}에 {number}번 질문이 없습니다",
    "the file has no column {name}; is it one of `koab judge queue`?" => "파일에 {name} 열이 없습니다. `koab judge queue`로 만든 파일인가요?",
    "line {line} is of the queue {queue}, the ones before of {id}" => "{line}번째 줄은 대기열 {queue}의 것이고 앞 줄은 {id}의 것입니다",
    "the file has no line" => "파일에 줄이 없습니다",
    "the file is not JSON: {error}" => "파일이 JSON이 아닙니다: {error}",
    "the file has no `queue` with `questions`; is it one of `koab judge queue`?" => "파일에 `queue`와 `questions`가 없습니다. `koab judge queue`로 만든 파일인가요?",
    "a question of the file has no number" => "파일의 질문에 번호가 없습니다",
    "{at} has no number of a question" => "{at}: 질문 번호가 없습니다",
    "{at} answers `{answer}`; write yes or no, a grade from 1 to 5, unsure, or nothing" => "{at}: `{answer}`(이)라는 답은 쓸 수 없습니다. 예(yes), 아니요(no), 1~5점, 모름(unsure) 가운데 하나를 쓰거나 비워 두세요",
};

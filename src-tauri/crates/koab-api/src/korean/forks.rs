//! What forks say: why one cannot begin so, and what is not as it was.

use super::phrases;
use koab_core::sentence::Phrase;

pub(super) const PHRASES: &[Phrase] = phrases! {
    "the attempt has no step {step}; it took {steps}" => "이 시도에는 {step}단계가 없습니다. {steps}단계까지 있습니다",
    "the conversation up to step {step} was not kept whole, so nothing can go on from there; choose a later step" => "{step}단계까지의 대화가 온전히 남아 있지 않아 거기서 이어 갈 수 없습니다. 더 뒤의 단계를 고르세요",
    "the conversation has no message {at}; it has {messages}" => "대화에 {at}번 메시지가 없습니다. 모두 {messages}개입니다",
    "message {at} comes after step {step}; fork at the step it belongs to" => "{at}번 메시지는 {step}단계보다 뒤에 있습니다. 그 메시지가 속한 단계에서 포크하세요",
    "message {at} is changed twice; change it once" => "{at}번 메시지를 두 번 바꾸려 합니다. 한 번만 바꾸세요",
    "message {at} is no tool's answer; give it a text instead of a result or an error" => "{at}번 메시지는 도구의 응답이 아닙니다. 결과나 오류가 아니라 글을 넣으세요",
    "message {at} is a tool's answer; give it a result or an error instead of a text" => "{at}번 메시지는 도구의 응답입니다. 글이 아니라 결과나 오류를 넣으세요",
    "the result for message {at} is no JSON: {cause}" => "{at}번 메시지에 넣을 결과가 JSON이 아닙니다: {cause}",
    "the error for message {at} has no kind; name one, such as timeout" => "{at}번 메시지의 오류에 종류가 없습니다. timeout처럼 적으세요",
    "step {step} is the model's answer and nothing follows it; change what comes before it" => "{step}단계는 모델의 답변이고 그 뒤에는 아무것도 없습니다. 그 앞의 것을 바꾸세요",
    "the task's seeded turns are not those of the run any more; import the run's pack again as it was" => "과제에 주어진 턴이 실행 때와 다릅니다. 실행에 쓴 팩을 그대로 다시 가져오세요",
    "What the provider gave along with earlier turns, such as its thinking, was not kept and is not shown to the model again." => "제공자가 앞선 턴에 덧붙인 것(생각 과정 등)은 남아 있지 않아 모델에게 다시 보여 주지 않습니다.",
    "The log does not say how the model was set; the published settings are taken (temperature 0.7, 1024 output tokens, 10 steps)." => "로그에 모델 설정이 적혀 있지 않아 공개된 설정(온도 0.7, 출력 토큰 1024개, 10단계)을 씁니다.",
    "the run {run} has no finished attempt {repetition} at {task}; wait for it, or name another --repetition" => "실행 {run}에는 {task}의 끝난 {repetition}회차 시도가 없습니다. 끝나기를 기다리거나 다른 --repetition을 지정하세요",
    "{task} of the run is another task than {same} of pack {pack}; import the run's pack" => "실행의 {task}은(는) 팩 {pack}의 {same}과(와) 다른 과제입니다. 실행에 쓴 팩을 가져오세요",
    "the fork {id} has not come to an end, so nothing can be forked in it; fork its original at step {step} again" => "포크 {id}은(는) 끝까지 가지 못해 그 안에서 다시 포크할 수 없습니다. 원본의 {step}단계에서 다시 포크하세요",
    "the fork {id} goes on; cancel it or wait for it" => "포크 {id}이(가) 진행 중입니다. 취소하거나 기다리세요",
    "there is no fork `{id}`; `koab runs forks` shows those there are" => "포크 `{id}`이(가) 없습니다. `koab runs forks`로 있는 것을 볼 수 있습니다",
    "the trash has no fork `{id}`" => "휴지통에 포크 `{id}`이(가) 없습니다",
    "there is a fork `{id}` again; delete it first" => "포크 `{id}`이(가) 다시 생겼습니다. 먼저 그것을 지우세요",
    "{named} is a fork: it explains a run and never enters a report; name the run itself, or look at the fork with `koab runs fork-show`" => "{named}은(는) 포크입니다. 포크는 실행을 설명할 뿐 보고서에 들어가지 않습니다. 실행 자체를 지정하거나 `koab runs fork-show`로 포크를 보세요",
    "is a fork: it explains a run and never enters a report; import the run itself" => "포크입니다. 포크는 실행을 설명할 뿐 보고서에 들어가지 않습니다. 실행 자체를 가져오세요",
    "{path} is no fork: {why}" => "{path}은(는) 포크가 아닙니다: {why}",
    "`{id}` is no fork's id; `koab runs forks` shows those there are" => "`{id}`은(는) 포크 ID가 아닙니다. `koab runs forks`로 목록을 볼 수 있습니다",
    "cannot write {path}: {error}" => "{path}을(를) 쓸 수 없습니다: {error}",
    "the fork {id} cannot be forked: {why}" => "포크 {id}을(를) 다시 포크할 수 없습니다: {why}",
    "the run {id} cannot be forked: {why}" => "실행 {id}을(를) 포크할 수 없습니다: {why}",
};

//! Models on this disk, hubs, downloads.

use super::phrases;
use koab_core::sentence::Phrase;

pub(super) const PHRASES: &[Phrase] = phrases! {
    // A hub and its answers.
    "`{name}` is no name of a repository; it looks like {example}" => "`{name}`은(는) 저장소 이름이 아닙니다. {example}처럼 쓰세요",
    "`{name}` is no name of a branch, tag or commit" => "`{name}`은(는) 브랜치, 태그, 커밋 이름이 아닙니다",
    "HF_TOKEN holds characters that no token has; set it again" => "HF_TOKEN에 토큰에 쓸 수 없는 글자가 있습니다. 다시 설정하세요",
    "{hub} has no {kind} {repo}, or it is private; check the name, and for a private one set HF_TOKEN" => "{hub}에 {repo} 저장소가 없거나 비공개입니다. 이름을 확인하고, 비공개라면 HF_TOKEN을 설정하세요",
    "{hub} has no {kind} {repo}, or it is private to others; check the name, and whose token HF_TOKEN holds" => "{hub}에 {repo} 저장소가 없거나 다른 사람의 비공개 저장소입니다. 이름과 HF_TOKEN의 계정을 확인하세요",
    "{repo} has no revision `{revision}`; leave it out for the newest" => "{repo}에 `{revision}` 버전이 없습니다. 비워 두면 최신 버전을 씁니다",
    "{repo} has no such file at this revision" => "{repo}의 이 버전에는 그 파일이 없습니다",
    "{repo} is given out only to those who accepted its terms: accept them at {page}, and set HF_TOKEN to a token of that account" => "{repo}은(는) 이용 조건에 동의해야 받을 수 있습니다. {page}에서 동의하고, 그 계정의 토큰을 HF_TOKEN에 설정하세요",
    "{repo} is given out only to those who accepted its terms: accept them at {page} with the account of the token in HF_TOKEN" => "{repo}은(는) 이용 조건에 동의해야 받을 수 있습니다. HF_TOKEN의 계정으로 {page}에서 동의하세요",
    "{hub} refuses the token in HF_TOKEN; make a new one there and set it again" => "{hub}에서 HF_TOKEN의 토큰을 거부했습니다. 그곳에서 새로 만들어 다시 설정하세요",
    "{hub} asks to slow down (HTTP 429); wait a few minutes, or set HF_TOKEN, which has a higher limit" => "{hub}에서 요청을 줄이라고 합니다(HTTP 429). 몇 분 기다리거나, 한도가 더 높은 HF_TOKEN을 설정하세요",
    "{hub} asks to slow down (HTTP 429) for {seconds} s; wait, or set HF_TOKEN, which has a higher limit" => "{hub}에서 {seconds}초 동안 요청을 줄이라고 합니다(HTTP 429). 기다리거나, 한도가 더 높은 HF_TOKEN을 설정하세요",
    "{host} cannot be reached: {why}" => "{host}에 연결할 수 없습니다({why})",
    "the connection broke while {file} was fetched: {why}; what is there is kept, and the next try goes on from it" => "{file}을(를) 받다가 연결이 끊겼습니다({why}). 받은 만큼은 남아 있고 이어서 받을 수 있습니다",
    "what the hub says about {repo} cannot be used: {why}" => "허브가 {repo}에 대해 알려 준 내용을 쓸 수 없습니다({why})",
    "{file} is not what the hub promised ({kind}: {found} instead of {wanted}); it was thrown away, fetch it again" => "{file}의 내용이 허브가 알려 준 것과 다릅니다({kind}: {wanted}이어야 하는데 {found}). 버렸으니 다시 받으세요",
    "stopped; what is there is kept" => "멈췄습니다. 받은 것은 남아 있습니다",
    "{name} is set, so no hub is asked; unset it to fetch anything" => "{name}이(가) 설정되어 있어 허브에 묻지 않습니다. 받으려면 해제하세요",

    // Choosing and room.
    "it has its weights only as PyTorch files, which run code when they are opened; look for a repository of this model with safetensors or GGUF files" => "가중치가 PyTorch 파일로만 있습니다. 열 때 코드가 실행되는 형식이므로, safetensors나 GGUF 파일이 있는 저장소를 찾으세요",
    "it holds no model: neither safetensors nor a GGUF file" => "모델이 없습니다. safetensors도 GGUF 파일도 없습니다",
    "it has {count} GGUF models; choose one with --file or --quantization: {files}" => "GGUF 모델이 {count}개 있습니다. --file이나 --quantization으로 하나를 고르세요: {files}",
    "it has nothing that fits {asked}; it has {there}" => "{asked}에 맞는 것이 없습니다. 있는 것: {there}",
    "a model is chosen by its file, by its quantization or by patterns; give one of them" => "모델은 파일, 양자화, 패턴 가운데 하나로 고르세요",
    "{repo} holds nothing that can run here: {why}" => "{repo} 모델은 쓸 수 없습니다. {why}",
    "{repo} needs {missing} more and {folder} has {free} free; free some, or put the cache elsewhere with HF_HOME" => "{repo}에 필요한 공간이 {missing} 더 있어야 하는데 {folder}에 남은 공간은 {free}입니다. 공간을 비우거나 HF_HOME으로 캐시를 옮기세요",
    "{repo} is being fetched; stop that first" => "{repo}을(를) 받는 중입니다. 먼저 멈추세요",
    "there is no download {id}; it is done or was given up" => "{id} 다운로드가 없습니다. 끝났거나 그만둔 것입니다",
    "the plan of {repo} is damaged; fetch it anew" => "{repo}의 다운로드 기록이 손상되었습니다. 처음부터 받으세요",

    // Models on this disk.
    "{name} is a GGUF file, whose precision is fixed; leave --quantization and --dtype out, or choose the file of the precision you want" => "{name}은(는) 정밀도가 정해진 GGUF 파일입니다. --quantization과 --dtype을 빼거나 원하는 정밀도의 파일을 고르세요",
    "{model} is loaded with other settings or for another run; wait until that has ended: one model at a time is loaded" => "{model}이(가) 다른 설정이나 다른 실행에 쓰이고 있습니다. 한 번에 모델 하나만 불러오므로 끝날 때까지 기다리세요",
    "a run is under way, and both together would be slow and measured wrongly; wait until it has ended" => "실행이 진행 중입니다. 함께 돌리면 느려지고 측정도 틀리므로 끝날 때까지 기다리세요",
    "{name} is being tried; stop that or wait for it" => "{name} 모델을 시험하고 있습니다. 멈추거나 끝날 때까지 기다리세요",
    "there is no model {name} on this disk; `koab models list` lists them, `koab models pull` fetches more" => "이 컴퓨터에 {name} 모델이 없습니다. `koab models list`로 보고, `koab models pull`로 받으세요",
    "of {name} only conversions are left; name one with --quantization or --dtype: {there}" => "{name}은(는) 변환본만 남았습니다. --quantization이나 --dtype으로 하나를 고르세요: {there}",
    "of {name} only conversions are left, and none at {precision}; there is {there}; fetch the model again for others" => "{name}은(는) 변환본만 남았고 {precision}은 없습니다. 있는 것: {there}. 다른 정밀도가 필요하면 모델을 다시 받으세요",
    "there is no model {name} on this disk; did you mean {near}?" => "이 컴퓨터에 {name} 모델이 없습니다. {near}을(를) 찾으시나요?",
    "{name} has several models: {models}; name one of them" => "{name}에 모델이 여럿 있습니다. 하나를 고르세요: {models}",
    "{path} cannot be added: {why}" => "{path}을(를) 등록할 수 없습니다. {why}",
    "it holds neither config.json with safetensors nor a GGUF file" => "config.json과 safetensors도, GGUF 파일도 없습니다",
    "it holds several GGUF models; name one of them: {files}" => "GGUF 모델이 여럿 있습니다. 하나를 고르세요: {files}",
    "there is nothing; check the path" => "아무것도 없습니다. 경로를 확인하세요",
    "only a GGUF file or a Hugging Face folder is a model" => "GGUF 파일이나 Hugging Face 폴더만 모델로 쓸 수 있습니다",
    "it is a part of a model (pictures, adapter), not a model" => "모델이 아니라 모델의 일부(그림, 어댑터)입니다",
    "{files} is missing beside it" => "옆에 있어야 할 {files}이(가) 없습니다",
    "{files} is not there; fetch the rest" => "{files}이(가) 없습니다. 나머지를 받으세요",
    "{name} did not come from a hub, so nobody promised what its files hold" => "{name} 모델은 허브에서 받은 것이 아니어서 대조할 해시가 없습니다",
    "stopped before all was read" => "다 읽기 전에 멈췄습니다",
    "the system names no home folder for fetched files; name one in HF_HOME" => "시스템에 홈 폴더가 없습니다. 받은 것을 둘 폴더를 HF_HOME에 지정하세요",
    "{address} is no address on this machine; give one like http://localhost:8000/v1" => "{address}은(는) 이 컴퓨터의 주소가 아닙니다. http://localhost:8000/v1처럼 쓰세요",
};

//! The offline switch: what is refused while it is on, and how it is switched off.

use super::phrases;
use koab_core::sentence::Phrase;

pub(super) const PHRASES: &[Phrase] = phrases! {
    "{what} needs {host}, but koab is offline; {remedy}" => "오프라인이어서 요청을 보내지 않았습니다({what}, {host}). {remedy}",
    "leave out --offline to let it out" => "보내려면 --offline을 빼세요",
    "unset KOAB_OFFLINE to let it out" => "보내려면 환경 변수 KOAB_OFFLINE을 지우세요",
    "switch offline off in the settings or with `koab offline off` to let it out" => "보내려면 설정에서나 `koab offline off`로 오프라인을 끄세요",
    "the model" => "모델",
    "the judge" => "심판",
    "the scenario's model" => "시나리오의 모델",
    "the pack" => "팩 받기",
    "the archive" => "저장소 압축 파일",
    "the pull of the model" => "모델 받기",
    "the benchmark" => "시나리오 벤치마크",
    "the service behind the tool" => "도구의 서비스",
    "the page" => "웹 페이지",
    "the collector of spans" => "스팬 수집기",
    "the container engine" => "컨테이너 엔진",
    "the container image" => "컨테이너 이미지",
    "the link" => "링크",
    "`{text}` is no time; write a date such as 2026-11-21, a time such as 2026-11-21T09:00:00Z, or how long ago, such as 30m, 24h or 7d" => "`{text}`은(는) 시각이 아닙니다. 2026-11-21 같은 날짜, 2026-11-21T09:00:00Z 같은 시각, 또는 30m, 24h, 7d처럼 얼마 전인지를 쓰세요",
    "this removes the log of {count} requests for good; say so with --yes" => "요청 {count}개의 기록을 완전히 지웁니다. 그렇게 하려면 --yes를 붙이세요",
    "{address} is no address of a page" => "{address}은(는) 페이지 주소가 아닙니다",
    // The doctor.
    "network" => "네트워크",
    "online: only what you ask for is sent, and only where you named; {requests} requests in the log" => "온라인: 요청한 것만 지정한 곳으로 보냅니다. 기록된 요청 {requests}개",
    "offline: everything that would leave this computer is refused; {requests} requests in the log" => "오프라인: 이 컴퓨터 밖으로 나가는 요청을 모두 거부합니다. 기록된 요청 {requests}개",
};

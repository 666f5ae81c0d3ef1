//! Snapshots of recorded responses and what is held against them.

use super::phrases;
use koab_core::sentence::Phrase;

pub(super) const PHRASES: &[Phrase] = phrases! {
    "there is no snapshot `{name}`: {there}; make one with `koab cache snapshot create`" => "스냅샷 `{name}`이(가) 없습니다({there}). `koab cache snapshot create`로 만드세요",
    "there is a snapshot `{name}` already; choose another name or delete it first" => "스냅샷 `{name}`이(가) 이미 있습니다. 다른 이름을 고르거나 먼저 삭제하세요",
    "is the word for a state of its own; choose another name" => "다른 뜻으로 쓰는 말입니다. 다른 이름을 고르세요",
    "is no name; write at most 64 letters, digits, dots, dashes and underscores" => "이름으로 쓸 수 없습니다. 글자, 숫자, 점, 줄표, 밑줄로 64자까지 쓰세요",
    "`{name}` goes on changing, so a run cannot be made again from it; make a snapshot with `koab cache snapshot create` and name that" => "`{name}`은(는) 계속 바뀌므로 실행을 똑같이 다시 할 수 없습니다. `koab cache snapshot create`로 스냅샷을 만들어 그 이름을 쓰세요",
    "the snapshot `{name}` was made of {of}, and {pack} as it is installed has other tasks or tools; import that pack again, or share the snapshot as a pack and use it" => "스냅샷 `{name}`은(는) {of} 팩으로 만들었는데, 지금 설치된 {pack} 팩은 과제나 도구가 다릅니다. 그 팩을 다시 가져오거나, 스냅샷을 팩으로 공유해서 쓰세요",
    "the run reads the snapshot `{name}` with the hash {hash}, and the one of that name here holds something else; bring back the former to go on" => "이 실행은 해시가 {hash}인 스냅샷 `{name}`을(를) 읽는데, 여기 있는 같은 이름의 스냅샷은 내용이 다릅니다. 이어서 하려면 앞의 스냅샷을 되살리세요",
    "a snapshot is only read; leave --cache-snapshot or --cache-mode write out" => "스냅샷은 읽기만 합니다. --cache-snapshot이나 --cache-mode write를 빼세요",
    "`{name}` is the name of the pack that it was made of; give another one" => "`{name}`은(는) 스냅샷을 만든 팩의 이름입니다. 다른 이름을 주세요",
    "`{name}` is no name for a pack; write at most 64 letters, digits, dots, dashes and underscores" => "`{name}`은(는) 팩 이름으로 쓸 수 없습니다. 영문자, 숫자, 점, 줄표, 밑줄로 64자까지 쓰세요",
    "{folder} is there already and not empty; name a new folder" => "{folder}이(가) 이미 있고 비어 있지 않습니다. 새 폴더를 지정하세요",
    "has no key of 64 hexadecimal digits" => "16진수 64자리 키가 없습니다",
    "is of a tool whose name can be no folder" => "도구 이름을 폴더 이름으로 쓸 수 없습니다",
    "has the key of another record, which was written" => "이미 저장한 다른 기록과 키가 같습니다",
    "the snapshot `{name}` does not hold what its hash says; koab.sqlite was changed" => "스냅샷 `{name}`의 내용이 해시와 다릅니다. koab.sqlite가 바뀌었습니다",
    "write into" => "쓰기",
};

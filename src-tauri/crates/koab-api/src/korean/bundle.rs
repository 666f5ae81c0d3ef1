//! Bundles: why one is not written, and what is wrong with the archive of one. What is found in its files is in
//! `koab_core::bundle`.

use super::phrases;
use koab_core::sentence::Phrase;

pub(super) const PHRASES: &[Phrase] = phrases! {
    // Not written.
    "there is no key to sign with; make one with `koab submit key`, or leave --sign out" => "서명할 키가 없습니다. `koab submit key`로 만들거나 --sign을 빼세요",
    "KOAB_SIGNING_KEY is no key to sign with; delete it with `koab keys delete KOAB_SIGNING_KEY` and make one with `koab submit key`" => "KOAB_SIGNING_KEY는 서명할 수 있는 키가 아닙니다. `koab keys delete KOAB_SIGNING_KEY`로 지우고 `koab submit key`로 만드세요",
    "--key takes a public key of 56 letters that begins with RW, as `koab submit key` shows it, or a file that holds one" => "--key에는 `koab submit key`가 보여 주는 RW로 시작하는 56자 공개 키나 그것을 담은 파일을 주세요",
    "{run} was broken off; finish it with `koab run --resume {same}` first" => "{run}은(는) 중단된 실행입니다. 먼저 `koab run --resume {same}`으로 마치세요",
    "{run} cannot be bundled, because it would not verify: {found}" => "{run}은(는) 검증되지 않을 것이므로 번들을 만들 수 없습니다: {found}",
    "{run} has only one of run.json and journal.jsonl; without the other its logs cannot be held against anything" => "{run}에 run.json과 journal.jsonl 중 하나만 있습니다. 나머지가 없으면 로그를 확인할 수 없습니다",
    "{file} holds the value of the key {name}, so no bundle is made of it; take it out of that file first" => "{file}에 키 {name}의 값이 들어 있어 번들을 만들지 않습니다. 먼저 그 파일에서 빼세요",
    "{file} was changed while the bundle was made; make it again" => "번들을 만드는 동안 {file}이(가) 바뀌었습니다. 다시 만드세요",
    "{file} {why}, so it cannot go into a bundle" => "{file}은(는) 번들에 넣을 수 없습니다({why})",
    "lies outside submission/" => "submission/ 밖에 있습니다",
    "the report {report} has no evaluation_report.json to compute again" => "보고서 {report}에 다시 계산할 evaluation_report.json이 없습니다",
    "{one} and {other} are scored by the same rules; a bundle holds one report of each" => "{one}과(와) {other}은(는) 채점 방식이 같습니다. 번들에는 방식마다 보고서 하나만 넣습니다",
    "cancelled; no bundle was written" => "취소했습니다. 번들을 만들지 않았습니다",
    "cancelled; nothing was found out" => "취소했습니다. 검증 결과가 없습니다",
    "the run was made elsewhere and has no journal, so its logs cannot be rebuilt from it" => "다른 곳에서 만든 실행이라 진행 기록이 없고, 로그를 다시 만들어 볼 수 없습니다",
    "the recordings behind {count} tool calls are not in the workspace any more" => "도구 호출 {count}회의 기록이 작업 공간에 더는 없습니다",
    "the run has no report, so there is no number to compute again" => "보고서가 없는 실행이라 다시 계산할 수치가 없습니다",
    "is a bundle that does not verify: {found}" => "검증되지 않는 번들입니다: {found}",
    "is a bundle without a readable koab.json" => "koab.json을 읽을 수 없는 번들입니다",
    "names its run `{run}`, which is no run's id" => "실행 이름 `{run}`은(는) 실행의 ID가 아닙니다",
    "cannot be unpacked: {error}" => "풀 수 없습니다: {error}",

    // The archive.
    "the file cannot be read: {error}" => "파일을 읽을 수 없습니다: {error}",
    "is no bundle: it is too short for an archive" => "번들이 아닙니다. 압축 파일이라기에는 너무 짧습니다",
    "is no whole bundle: it does not end as an archive does, so its end is missing or something was added" => "온전한 번들이 아닙니다. 끝이 압축 파일과 달라 뒷부분이 없거나 무언가 덧붙었습니다",
    "is no bundle: the end of the archive speaks of several disks or a comment, which bundles do not have" => "번들이 아닙니다. 압축 파일 끝에 번들에 없는 분할 정보나 설명이 있습니다",
    "is no bundle: bytes that belong to nothing lie around the archive's directory" => "번들이 아닙니다. 압축 목록 주위에 어디에도 속하지 않는 바이트가 있습니다",
    "is no bundle: bytes that belong to no entry lie before the archive's directory" => "번들이 아닙니다. 압축 목록 앞에 어느 항목에도 속하지 않는 바이트가 있습니다",
    "is no whole bundle: its directory is cut off" => "온전한 번들이 아닙니다. 압축 목록이 잘렸습니다",
    "the archive's directory breaks off at entry {number}" => "압축 목록이 {number}번째 항목에서 끊겼습니다",
    "the archive's directory goes on after its last entry" => "압축 목록이 마지막 항목 뒤에도 이어집니다",
    "is the name of an entry that is no UTF-8" => "UTF-8이 아닌 항목 이름입니다",
    "is encrypted, which nothing in a bundle is" => "암호화된 항목입니다. 번들에는 그런 것이 없습니다",
    "is no plain file: links, folders and programs are nothing for a bundle" => "일반 파일이 아닙니다. 링크, 폴더, 프로그램은 번들에 들어갈 수 없습니다",
    "is the name of an entry that {why}" => "쓸 수 없는 항목 이름입니다({why})",
    "is the name of two entries, letter case aside" => "두 항목의 이름이 같습니다(대소문자 무시)",
    "is not packed as koab packs a file" => "koab이 압축하는 방식과 다릅니다",
    "does not begin where the entry before it ends" => "앞 항목이 끝나는 곳에서 시작하지 않습니다",
    "is described in one way before its content and in another in the directory" => "내용 앞의 설명과 압축 목록의 설명이 다릅니다",
    "unpacks to more than {most} MB, which nothing in a bundle does" => "풀면 {most} MB를 넘습니다. 번들에는 그런 파일이 없습니다",
    "makes the bundle unpack to more than {most} MB" => "이 파일까지 풀면 번들이 {most} MB를 넘습니다",
    "unpacks to more than {ratio} times its size, as only a bomb does" => "풀면 크기가 {ratio}배를 넘습니다. 압축 폭탄만 그렇습니다",
    "unpacks to more than the archive states" => "풀면 압축 파일에 적힌 것보다 큽니다",
    "unpacks to less than the archive states" => "풀면 압축 파일에 적힌 것보다 작습니다",
    "has {found} bytes, and at most {most} can be right" => "{found}바이트인데 맞을 수 있는 크기는 {most}바이트까지입니다",
    "the archive is damaged here ({error})" => "압축 파일의 이 부분이 손상되었습니다({error})",

    // Names.
    "is longer than 400 bytes" => "400바이트를 넘습니다",
    "is an absolute path" => "절대 경로입니다",
    "has a backslash, which some systems take for a folder's end" => "일부 시스템이 폴더 구분으로 여기는 역슬래시가 있습니다",
    "names a drive" => "드라이브를 가리킵니다",
    "has a part without a name" => "이름이 빈 부분이 있습니다",
    "leads out of the bundle" => "번들 밖을 가리킵니다",
    "has a part that not every system can hold" => "일부 시스템이 쓸 수 없는 부분이 있습니다",
    "{what} is being made; wait until it is over" => "{what}을(를) 만들고 있습니다. 끝날 때까지 기다리세요",
};

//! Packs from elsewhere: hubs, archives of repositories, and what is in their files.

use super::phrases;
use koab_core::sentence::Phrase;

pub(super) const PHRASES: &[Phrase] = phrases! {
    "name a dataset of a hub, such as huggingface-KREW/Ko-AgentBench, or an archive by its address" => "huggingface-KREW/Ko-AgentBench 같은 허브의 데이터셋이나 압축 파일의 주소를 지정하세요",
    "{name} holds no tasks: neither tasks/pack.json, nor level files beside a tool catalog, nor files named by level, such as data/L1-00000-of-00001.parquet or L1.jsonl" => "{name}에 과제가 없습니다. tasks/pack.json도, 도구 목록과 함께 있는 레벨 파일도, data/L1-00000-of-00001.parquet나 L1.jsonl처럼 레벨 이름이 붙은 파일도 없습니다",
    "nothing published of {repo} was fetched at this commit; `koab pack pull {again}` fetches the newest" => "이 커밋에서 받은 {repo}의 공개 과제가 없습니다. `koab pack pull {again}`로 최신 것을 받으세요",
    "{file} of {repo} is not in {folder} any more; `koab pack pull {again}` fetches it again" => "{repo}의 {file}이(가) 이제 {folder}에 없습니다. `koab pack pull {again}`로 다시 받으세요",
    "koab.sqlite holds a list of what is published that cannot be read ({error})" => "koab.sqlite에 읽을 수 없는 공개 과제 목록이 있습니다({error})",

    // Archives.
    "{page} was asked for commit {asked} and gave out {found}; nothing was imported" => "{page}에 커밋 {asked}을(를) 요청했는데 {found}을(를) 주었습니다. 아무것도 가져오지 않았습니다",
    "{page} has no revision `{revision}`, or the repository is private or not there (HTTP 404); check both" => "{page}에 `{revision}` 버전이 없거나, 저장소가 비공개이거나 없습니다(HTTP 404). 둘 다 확인하세요",
    "{url} redirects in circles, to nowhere, or to an address without encryption" => "{url}이(가) 제자리나 없는 곳, 또는 암호화되지 않은 주소로 넘깁니다",
    "{url} is given with a user name or password, which would be kept with the pack; leave it out" => "{url}에 사용자 이름이나 암호가 들어 있습니다. 팩과 함께 저장되므로 빼세요",
    "{url} cannot be fetched: {why}" => "{url}을(를) 받을 수 없습니다({why})",
    "{url} is larger than {most} bytes" => "{url}이(가) {most}바이트보다 큽니다",
    "{path} cannot be written or read: {why}" => "{path}을(를) 쓰거나 읽을 수 없습니다: {why}",
    "it does not answer" => "응답이 없음",
    "it stopped in the middle of its answer" => "응답 도중에 멈춤",
    "nothing came for half a minute" => "30초 동안 아무것도 오지 않음",
    "nothing came for a minute" => "1분 동안 아무것도 오지 않음",
    "the server began at another place" => "서버가 다른 곳부터 보냄",
    "it redirects to nowhere" => "없는 곳으로 넘김",
    "it redirects in circles" => "제자리로 넘김",
    "it redirects to an address without encryption" => "암호화되지 않은 주소로 넘김",

    // Files of tasks.
    "{what} holds no task ({problem})" => "{what}에 과제가 없습니다({problem})",
    "{what} holds no task that can be run ({problem}); nothing was imported" => "{what}에 실행할 수 있는 과제가 없습니다({problem}). 아무것도 가져오지 않았습니다",
    "is no Parquet file that can be read (its pages are damaged)" => "읽을 수 있는 Parquet 파일이 아닙니다(내용이 손상됨)",
    "is no Parquet file that can be read ({error})" => "읽을 수 있는 Parquet 파일이 아닙니다({error})",
    "has more than {most} rows, which is no list of tasks" => "{most}행이 넘어 과제 목록이 아닙니다",
    "has no such column" => "그런 열이 없습니다",
    "is no UTF-8 text" => "UTF-8 글이 아닙니다",
    "is missing" => "없습니다",
    "must be a text" => "글이어야 합니다",
};

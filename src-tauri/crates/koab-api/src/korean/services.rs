//! Write mode: the real services behind tools, what they say and what they are not asked.

use super::phrases;
use koab_core::sentence::Phrase;

pub(super) const PHRASES: &[Phrase] = phrases! {
    "the tasks may ask services whose keys are missing: {keys} (for {services}); store them with `koab keys set NAME`, choose other tasks, or add --without-keys to leave these services out" => "과제가 쓸 수 있는 서비스의 키가 없습니다: {keys} ({services}). `koab keys set NAME`으로 저장하거나, 다른 과제를 고르거나, --without-keys로 이 서비스들을 빼세요",
    "the address in {variable} cannot be used: {cause}" => "{variable}의 주소를 쓸 수 없습니다: {cause}",
    "the key {name} cannot be sent; store it again with `koab keys set {again}`" => "{name} 키를 보낼 수 없습니다. `koab keys set {again}`으로 다시 저장하세요",
    "no connection to {title} can be made: {cause}" => "{title}에 연결을 만들 수 없습니다: {cause}",
    "the service behind {tool} did not answer before the task's time was up" => "{tool} 뒤의 서비스가 과제 제한 시간 안에 응답하지 않았습니다",
    "the connection to {title} broke: {cause}" => "{title}와(과)의 연결이 끊겼습니다: {cause}",
    "{title} did not answer within {seconds} s" => "{title} 서비스가 {seconds}초 안에 응답하지 않았습니다",
    "{title} reports an error: {message}" => "{title} 서비스 오류: {message}",
    "it is larger than 16 MiB" => "16 MiB보다 큽니다",
    "it is empty" => "비어 있습니다",
    "it is no JSON" => "JSON이 아닙니다",
    "its login can stand in no request" => "받은 로그인을 요청에 쓸 수 없습니다",
    "it has no list of candles" => "캔들 목록이 없습니다",
    "it has no list of markets" => "마켓 목록이 없습니다",
    "it has no list of documents" => "문서 목록이 없습니다",
    "it has no ticker" => "시세가 없습니다",
    "it has no rate of change" => "등락률이 없습니다",
    "it has no number for {field}; is the symbol right?" => "{field}에 숫자가 없습니다. 종목 코드가 맞나요?",
    "a place has no coordinates" => "장소에 좌표가 없습니다",
    "start and goal must not be empty" => "start와 goal은 비어 있을 수 없습니다",
    "market must not be empty" => "market은 비어 있을 수 없습니다",
    "unit must be one of {units}, not '{unit}'" => "unit은 {units} 중 하나여야 합니다('{unit}' 아님)",
    "time must be minutes, days, weeks or months, not '{time}'" => "time은 minutes, days, weeks, months 중 하나여야 합니다('{time}' 아님)",
    "candle_type must be minutes, days, weeks or months, not '{kind}'" => "candle_type은 minutes, days, weeks, months 중 하나여야 합니다('{kind}' 아님)",
    "count must be from 1 to 200, not {count}" => "count는 1에서 200까지여야 합니다({count} 아님)",
    "Kakao Local finds no address like '{address}'" => "카카오 로컬에서 '{address}' 주소를 찾지 못했습니다",
    "Kakao Local finds no address at these coordinates" => "카카오 로컬에서 이 좌표의 주소를 찾지 못했습니다",
};

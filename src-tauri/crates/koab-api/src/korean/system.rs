//! What operating systems say and our sentences quote, in the English that the standard library gives it.

use super::phrases;
use koab_core::sentence::Phrase;

pub(super) const PHRASES: &[Phrase] = phrases! {
    "No such file or directory (os error {code})" => "파일이나 폴더가 없습니다(os error {code})",
    "Permission denied (os error {code})" => "권한이 없습니다(os error {code})",
    "File exists (os error {code})" => "이미 있습니다(os error {code})",
    "Not a directory (os error {code})" => "폴더가 아닙니다(os error {code})",
    "Is a directory (os error {code})" => "파일이 아니라 폴더입니다(os error {code})",
    "Read-only file system (os error {code})" => "읽기 전용 디스크입니다(os error {code})",
    "No space left on device (os error {code})" => "디스크에 남은 공간이 없습니다(os error {code})",
    "Connection refused (os error {code})" => "연결이 거부되었습니다(os error {code})",
    "Connection reset by peer (os error {code})" => "상대가 연결을 끊었습니다(os error {code})",
    "Address already in use (os error {code})" => "이미 쓰이고 있는 주소입니다(os error {code})",
};

//! Submissions to the leaderboard: what stands in their way is in `koab_core::submission`.

use super::phrases;
use koab_core::sentence::Phrase;

pub(super) const PHRASES: &[Phrase] = phrases! {
    "there is neither a run nor a report `{word}`; `koab runs list` and `koab report list` show those there are"
        => "`{word}`(이)라는 실행도 보고서도 없습니다. `koab runs list`와 `koab report list`로 확인하세요",
    "run {id} has no report yet; score it with `koab evaluate --run {again}`"
        => "실행 {id}에 아직 보고서가 없습니다. `koab evaluate --run {again}`으로 채점하세요",
    "{folder} holds other files; choose an empty folder or a new one"
        => "{folder}에 다른 파일이 있습니다. 빈 폴더나 새 폴더를 고르세요",
    "{folder} is no folder of a submission; `koab submit prepare` makes one"
        => "{folder}은(는) 제출물 폴더가 아닙니다. `koab submit prepare`로 만드세요",
    "{place} is neither a folder of a submission nor a bundle; `koab submit prepare` makes both"
        => "{place}은(는) 제출물 폴더도 번들도 아닙니다. `koab submit prepare`로 만드세요",
    "{place} is a bundle without a submission; make one with `koab submit prepare RUN -o FILE`"
        => "{place}은(는) 제출물이 없는 번들입니다. `koab submit prepare RUN -o FILE`로 만드세요",
    "{folder} is larger than a submission can be; give the folder that `koab submit prepare` made"
        => "{folder}은(는) 제출물로 보기에 너무 큽니다. `koab submit prepare`가 만든 폴더를 지정하세요",
    "no report was chosen for the combined table" => "통합 표에 넣을 보고서를 고르지 않았습니다",
};

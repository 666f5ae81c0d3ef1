//! Answers that end the attempt without doing the work: they ask the user, announce work, give up,
//! or point to a link.
//!
//! Each rule uses a list of phrases. The rules look only at attempts that the judges did not accept
//! as a success, since good answers also end with polite phrases.

use crate::atlas::case::Case;
use crate::atlas::cause::Cause;
use crate::atlas::finding::Finding;
use koab_core::score::MetricId::{self, EffScore, Sr};

/// Phrases that ask the user for something before the model can continue.
const ASKS: [&str; 17] = [
    "알려주시면",
    "알려 주시면",
    "알려주시겠",
    "알려 주시겠",
    "알려주세요",
    "확인해주시",
    "확인해 주시",
    "말씀해 주시면",
    "요청해주세요",
    "요청해 주세요",
    "먼저 확인하고 싶",
    "먼저 확인해",
    "까요?",
    "하시겠습니까",
    "please provide",
    "could you please",
    "could you provide",
];
/// Phrases that offer more after the work is done. A sentence with such a phrase is not counted as
/// a question or an announcement.
const OFFERS: [&str; 12] = [
    "더 찾아",
    "더 필요",
    "궁금",
    "더 알고",
    "더 자세",
    "추가로",
    "원하시면",
    "필요하시면",
    "도움이",
    "다른",
    "언제든",
    "어떠신가요",
];
/// Phrases that announce work.
const ANNOUNCES: [&str; 10] = [
    "하겠습니다",
    "드리겠습니다",
    "보겠습니다",
    "드릴게요",
    "볼게요",
    "할게요",
    "i'll ",
    "i will ",
    "let me ",
    "i’ll ",
];
/// Phrases that state that the work could not be done.
const GIVES_UP: [&str; 18] = [
    "찾을 수 없",
    "찾지 못했",
    "찾을수 없",
    "확인할 수 없",
    "확인되지 않",
    "제공할 수 없",
    "제공해 드릴 수 없",
    "조회할 수 없",
    "가져올 수 없",
    "알 수 없",
    "정보가 없",
    "어려울 것 같",
    "실패했",
    "unable to",
    "couldn't find",
    "could not find",
    "cannot find",
    "i'm sorry",
];
/// Phrases that send the user to a link for the answer.
const POINTS: [&str; 5] =
    ["링크에서 확인", "링크를 통해", "링크를 참고", "사이트에서 확인", "페이지에서 확인"];

const OF_ANSWER: [MetricId; 2] = [Sr, EffScore];

pub(super) fn find(case: &Case<'_>) -> Vec<Finding> {
    ending(case).into_iter().collect()
}

/// Finding if the answer ends the attempt without doing the work.
///
/// Answers of multi-turn tasks are about earlier turns, and their last sentences give little
/// information.
pub(super) fn ending(case: &Case<'_>) -> Option<Finding> {
    if !case.lost(Sr) && !case.lost(EffScore) {
        return None;
    }
    let answer = case.answer();
    let finding = |cause: Cause, quote: &str| Some(Finding::new(cause, &OF_ANSWER).quote(quote));
    let sentences = sentences(&answer);
    if !case.attempt.cx.level.is_multi_turn()
        && let Some(asks) = sentences.iter().find(|sentence| asks(sentence))
    {
        return finding(Cause::AskedBack, asks);
    }
    if let Some(last) = sentences.last().filter(|last| says(last, &ANNOUNCES) && !says(last, &OFFERS)) {
        return finding(Cause::OnlyAnnounced, last);
    }
    if let Some(gives_up) = sentences.iter().find(|sentence| says(sentence, &GIVES_UP)) {
        return finding(Cause::GaveUp, gives_up);
    }
    let links = answer.matches("http").count();
    let points = sentences.iter().find(|sentence| says(sentence, &POINTS));
    points
        .filter(|_| links >= 2 && !case.attempt.cx.level.is_multi_turn())
        .and_then(|points| finding(Cause::LinksOnly, points))
}

/// First sentence that asks the user something, found by a question mark or a phrase. Offers of
/// more work are not counted.
pub(super) fn question(answer: &str) -> Option<&str> {
    let sentences = sentences(answer);
    let is_question =
        |sentence: &&str| asks(sentence) || (sentence.ends_with(['?', '？']) && !says(sentence, &OFFERS));
    sentences.into_iter().find(is_question)
}

fn asks(sentence: &str) -> bool {
    says(sentence, &ASKS) && !says(sentence, &OFFERS)
}

fn says(sentence: &str, phrases: &[&str]) -> bool {
    let sentence = sentence.to_lowercase();
    phrases.iter().any(|phrase| sentence.contains(phrase))
}

/// Sentences of a text, each with its punctuation mark.
fn sentences(text: &str) -> Vec<&str> {
    let ends = text.split_inclusive(['\n', '!', '?']).flat_map(|line| line.split_inclusive(". "));
    ends.map(str::trim).filter(|sentence| sentence.chars().any(char::is_alphanumeric)).collect()
}

//! Answers compared with the texts that the model received: answers that contradict these texts,
//! and answers that judges rejected although the texts support them.
//!
//! The rules run only if judges rejected the answer; the findings themselves come from the log.
//! Every rule is narrow, because a figure that occurs in no text may still have been computed
//! correctly.

use super::answer;
use crate::atlas::attempt::of_answer;
use crate::atlas::case::Case;
use crate::atlas::cause::Cause;
use crate::atlas::facts::{Number, Unit, dates, names, numbers, stated, strip_markup};
use crate::atlas::finding::Finding;
use koab_core::score::MetricId::{EffScore, Sr};
use serde_json::Value;

pub(super) fn find(case: &Case<'_>) -> Vec<Finding> {
    if !of_answer().into_iter().any(|metric| case.lost(metric)) {
        return Vec::new();
    }
    let cx = &case.attempt.cx;
    let multi_turn = cx.level.is_multi_turn();
    if multi_turn && case.task().answer_is_seeded() {
        return Vec::new();
    }
    let answer = strip_markup(&without_addresses(&case.answer()));
    let mut findings = contradictions(case, &answer);
    if findings.is_empty() {
        findings.extend(denied(case, &answer));
    }
    findings
}

/// The first contradiction of each kind.
fn contradictions(case: &Case<'_>, answer: &str) -> Vec<Finding> {
    let has_results =
        case.calls().iter().any(|call| !call.result.is_null()) || case.task().seeded_results() > 0;
    if !has_results {
        return Vec::new();
    }
    let sources = case.sources();
    let new = |quote: &str| Finding::new(Cause::Contradiction, &of_answer()).quote(quote);
    let figures = numbers(&without_dates(answer));
    let mut findings = Vec::new();
    findings.extend(duration(case, &figures));
    let price = figures.iter().find(|number| {
        number.unit == Some(Unit::Money)
            && number.digits >= 3
            && number.value >= 1000.0
            && !sources.has_number(number)
            && !sources.derives(number)
    });
    findings.extend(price.map(|price| new(&price.text).found(price.text.as_str())));
    // Answers list dates that they compute; a single date is the answer.
    let full_dates: Vec<_> = dates(answer).into_iter().filter(|(date, _)| date.year > 0).collect();
    if let [(date, words)] = full_dates.as_slice()
        && sources.full_dates() > 0
        && !sources.has_date(*date)
    {
        findings.push(new(words).found(words.as_str()));
    }
    findings.extend(unknown_names(answer, case).map(|name| new(&name).found(name.as_str())));
    findings
}

/// Time in the answer that contradicts the results: it exceeds the longest time in the results by
/// more than half, so the model mistook the unit.
fn duration(case: &Case<'_>, figures: &[Number]) -> Option<Finding> {
    let mut longest: Option<(usize, f64)> = None;
    for (place, call) in case.calls().iter().enumerate() {
        if let Some(minutes) = longest_minutes(&call.result)
            && longest.is_none_or(|(_, known)| minutes > known)
        {
            longest = Some((place, minutes));
        }
    }
    let (place, minutes) = longest.filter(|(_, minutes)| *minutes > 0.0)?;
    let wrong = figures.iter().find(|number| {
        let minutes_in_answer = match number.unit {
            Some(Unit::Minutes) => number.value,
            Some(Unit::Hours) => number.value * 60.0,
            _ => return false,
        };
        minutes_in_answer > minutes * 1.5 + 5.0
    })?;
    let finding = Finding::new(Cause::Contradiction, &of_answer()).at(place, &case.calls()[place]);
    Some(finding.expected(format!("{minutes:.0} min")).found(wrong.text.as_str()).quote(&wrong.text))
}

/// Longest time in a route service's result, in minutes. The result's `duration` is in
/// milliseconds, its `totalTime` in seconds.
fn longest_minutes(value: &Value) -> Option<f64> {
    match value {
        Value::Object(map) => {
            let own = map.iter().filter_map(|(key, value)| match key.as_str() {
                "duration" => Some(value.as_f64()? / 60_000.0),
                "totalTime" => Some(value.as_f64()? / 60.0),
                _ => None,
            });
            own.chain(map.values().filter_map(longest_minutes)).reduce(f64::max)
        }
        Value::Array(list) => list.iter().filter_map(longest_minutes).reduce(f64::max),
        _ => None,
    }
}

/// First stated name if none of the stated names occurs in the texts that the model received, or
/// else the first list heading if none of the list headings occurs in them.
fn unknown_names(text: &str, case: &Case<'_>) -> Option<String> {
    // An answer that asks or gives up quotes the object of its search.
    let ending = answer::ending(case).map(|finding| finding.cause);
    if matches!(ending, Some(Cause::AskedBack | Cause::GaveUp | Cause::LinksOnly)) {
        return None;
    }
    let sources = case.sources();
    let is_korean = |name: &String| name.chars().filter(|c| ('가'..='힣').contains(c)).count() >= 2;
    let of = |names: Vec<String>| -> Vec<String> { names.into_iter().filter(is_korean).collect() };
    let (quoted, bold) = stated(text);
    // Bold type has many uses; several names in a row are more reliable.
    for (names, least) in [(of(quoted), 1), (of(bold), 2)] {
        if names.len() >= least {
            let unknown = names.iter().all(|name| !sources.has_name(name));
            return unknown.then(|| names[0].clone());
        }
    }
    let heads = of(text.lines().filter_map(list_head).collect());
    let unknown = heads.len() >= 2 && heads.iter().all(|head| !sources.has_name(head));
    unknown.then(|| heads[0].clone())
}

/// Beginning of a numbered list line, up to the first punctuation mark.
fn list_head(line: &str) -> Option<String> {
    let rest = line.trim_start().trim_start_matches(|c: char| c.is_ascii_digit());
    let head = rest.strip_prefix(". ").or_else(|| rest.strip_prefix(") "))?;
    let head = head.split([':', '-', '–', '(', '|']).next().unwrap_or(head);
    let head = head.trim().trim_matches('*').trim();
    // A whole sentence is not a name.
    let is_name = (3..=40).contains(&head.chars().count())
        && !head.starts_with('[')
        && !head.ends_with(['.', '다', '요']);
    is_name.then(|| head.to_owned())
}

/// Finding for an answer that judges rejected although the texts that the model received contain
/// nearly all its checkable facts.
fn denied(case: &Case<'_>, answer: &str) -> Option<Finding> {
    let no = case.verdicts(Sr).find_map(|verdict| {
        let (success, _, reason) = verdict.published();
        (!success && verdict.failure().is_none()).then_some(reason)
    })?;
    if !case.lost(Sr) || answer::ending(case).is_some() {
        return None;
    }
    let sources = case.sources();
    let figures = numbers(&without_dates(answer))
        .into_iter()
        .filter(|number| number.digits >= 3 || number.value >= 1000.0);
    let mut facts: Vec<(String, bool)> =
        figures.map(|number| (number.text.clone(), sources.has_number(&number))).collect();
    facts.extend(dates(answer).into_iter().map(|(date, words)| (words, sources.has_date(date))));
    let quoted = names(answer);
    let known_names = quoted.iter().filter(|name| sources.has_name(name)).count();
    facts.extend(quoted.into_iter().map(|name| {
        let there = sources.has_name(&name);
        (name, there)
    }));
    if facts.is_empty() && whole_is_a_title(answer, case) {
        facts.push((answer.trim().to_owned(), true));
    }
    let backed = facts.iter().filter(|(_, there)| *there).count();
    let enough = facts.len() >= 2 || known_names > 0 || (facts.len() == 1 && whole_is_a_title(answer, case));
    let all = facts.len();
    (enough && backed * 10 >= all * 9).then(|| {
        let example = facts.iter().find(|(_, there)| *there).map(|(text, _)| text.clone());
        Finding::new(Cause::DeniedThoughBacked, &[Sr, EffScore])
            .expected(example)
            .found(format!("{backed}/{all}"))
            .quote(&no)
    })
}

/// Whether a short answer consists only of a text from the results.
fn whole_is_a_title(answer: &str, case: &Case<'_>) -> bool {
    let letters = answer.trim().chars().count();
    (6..=120).contains(&letters) && case.sources().has_name(answer.trim().trim_matches(['*', '"']))
}

/// Text without its dates, since their digits are not figures.
fn without_dates(text: &str) -> String {
    let mut text = text.to_owned();
    for (_, words) in dates(&text) {
        text = text.replace(&words, " ");
    }
    text
}

/// Text without web addresses, since their digits are not figures.
fn without_addresses(answer: &str) -> String {
    let mut text = String::with_capacity(answer.len());
    let mut rest = answer;
    while let Some(at) = rest.find("http") {
        text.push_str(&rest[..at]);
        let end = rest[at..].find(|c: char| c.is_whitespace() || ")]>\"'".contains(c));
        rest = end.map_or("", |end| &rest[at + end..]);
    }
    text.push_str(rest);
    text
}

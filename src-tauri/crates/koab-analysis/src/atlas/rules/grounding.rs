//! Answers compared with what the model was shown: what contradicts it, and answers that are denied
//! although all of it stands there.
//!
//! A judge's no is the reason to look; what is found is found in the log. Every rule is narrow,
//! because a figure that stands nowhere may still be worked out rightly.

use super::answer;
use crate::atlas::attempt::of_answer;
use crate::atlas::case::Case;
use crate::atlas::cause::Cause;
use crate::atlas::facts::{Number, Unit, dates, names, numbers, stated, strip_markup};
use crate::atlas::finding::Finding;
use koab_core::score::MetricId::{EffScore, Sr};
use serde_json::Value;

pub(super) fn find(seen: &Case<'_>) -> Vec<Finding> {
    if !of_answer().into_iter().any(|metric| seen.lost(metric)) {
        return Vec::new();
    }
    let cx = &seen.attempt.cx;
    let multi_turn = cx.level.is_multi_turn();
    if multi_turn && seen.task().answer_is_seeded() {
        return Vec::new();
    }
    let answer = strip_markup(&without_addresses(&seen.answer()));
    let mut found = contradictions(seen, &answer);
    if found.is_empty() {
        found.extend(denied(seen, &answer));
    }
    found
}

/// The first contradiction of each kind.
fn contradictions(seen: &Case<'_>, answer: &str) -> Vec<Finding> {
    let has_results =
        seen.calls().iter().any(|call| !call.result.is_null()) || seen.task().seeded_results() > 0;
    if !has_results {
        return Vec::new();
    }
    let known = seen.sources();
    let new = |quote: &str| Finding::new(Cause::Contradiction, &of_answer()).quote(quote);
    let figures = numbers(&without_dates(answer));
    let mut found = Vec::new();
    found.extend(duration(seen, &figures));
    let price = figures.iter().find(|number| {
        number.unit == Some(Unit::Money)
            && number.digits >= 3
            && number.value >= 1000.0
            && !known.has_number(number)
            && !known.derives(number)
    });
    found.extend(price.map(|price| new(&price.text).found(price.text.as_str())));
    // Answers list dates that they compute; one that stands alone is the answer.
    let said: Vec<_> = dates(answer).into_iter().filter(|(date, _)| date.year > 0).collect();
    if let [(date, words)] = said.as_slice()
        && known.full_dates() > 0
        && !known.has_date(*date)
    {
        found.push(new(words).found(words.as_str()));
    }
    found.extend(unknown_names(answer, seen).map(|name| new(&name).found(name.as_str())));
    found
}

/// A time that is half as long again as the longest in the results, or longer: the unit was taken
/// for another.
fn duration(seen: &Case<'_>, figures: &[Number]) -> Option<Finding> {
    let mut longest: Option<(usize, f64)> = None;
    for (place, call) in seen.calls().iter().enumerate() {
        if let Some(minutes) = longest_minutes(&call.result)
            && longest.is_none_or(|(_, known)| minutes > known)
        {
            longest = Some((place, minutes));
        }
    }
    let (place, minutes) = longest.filter(|(_, minutes)| *minutes > 0.0)?;
    let wrong = figures.iter().find(|number| {
        let said = match number.unit {
            Some(Unit::Minutes) => number.value,
            Some(Unit::Hours) => number.value * 60.0,
            _ => return false,
        };
        said > minutes * 1.5 + 5.0
    })?;
    let finding = Finding::new(Cause::Contradiction, &of_answer()).at(place, &seen.calls()[place]);
    Some(finding.expected(format!("{minutes:.0} min")).found(wrong.text.as_str()).quote(&wrong.text))
}

/// The longest time in a result of a route service, in minutes: `duration` is in thousandths of a
/// second, `totalTime` in seconds.
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

/// The first name, when the answer says something about names and none of them is known; or the
/// first of a list none of whose heads is.
fn unknown_names(text: &str, seen: &Case<'_>) -> Option<String> {
    // What an answer that asks or gives up quotes is what it looked for.
    let ending = answer::ending(seen).map(|finding| finding.cause);
    if matches!(ending, Some(Cause::AskedBack | Cause::GaveUp | Cause::LinksOnly)) {
        return None;
    }
    let known = seen.sources();
    let is_korean = |name: &String| name.chars().filter(|c| ('가'..='힣').contains(c)).count() >= 2;
    let of = |names: Vec<String>| -> Vec<String> { names.into_iter().filter(is_korean).collect() };
    let (quoted, bold) = stated(text);
    // Bold type is for much else; several names in a row are another thing.
    for (names, least) in [(of(quoted), 1), (of(bold), 2)] {
        if names.len() >= least {
            let unknown = names.iter().all(|name| !known.has_name(name));
            return unknown.then(|| names[0].clone());
        }
    }
    let heads = of(text.lines().filter_map(list_head).collect());
    let unknown = heads.len() >= 2 && heads.iter().all(|head| !known.has_name(head));
    unknown.then(|| heads[0].clone())
}

/// What a numbered line of a list begins with, up to the first mark.
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

/// Success was denied, and what can be checked in the answer stands in what the model was shown.
fn denied(seen: &Case<'_>, answer: &str) -> Option<Finding> {
    let no = seen.verdicts(Sr).find_map(|verdict| {
        let (success, _, reason) = verdict.published();
        (!success && verdict.failure().is_none()).then_some(reason)
    })?;
    if !seen.lost(Sr) || answer::ending(seen).is_some() {
        return None;
    }
    let known = seen.sources();
    let figures = numbers(&without_dates(answer))
        .into_iter()
        .filter(|number| number.digits >= 3 || number.value >= 1000.0);
    let mut facts: Vec<(String, bool)> =
        figures.map(|number| (number.text.clone(), known.has_number(&number))).collect();
    facts.extend(dates(answer).into_iter().map(|(date, words)| (words, known.has_date(date))));
    let quoted = names(answer);
    let named = quoted.iter().filter(|name| known.has_name(name)).count();
    facts.extend(quoted.into_iter().map(|name| {
        let there = known.has_name(&name);
        (name, there)
    }));
    if facts.is_empty() && whole_is_a_title(answer, seen) {
        facts.push((answer.trim().to_owned(), true));
    }
    let backed = facts.iter().filter(|(_, there)| *there).count();
    let enough = facts.len() >= 2 || named > 0 || (facts.len() == 1 && whole_is_a_title(answer, seen));
    let all = facts.len();
    (enough && backed * 10 >= all * 9).then(|| {
        let shown = facts.iter().find(|(_, there)| *there).map(|(text, _)| text.clone());
        Finding::new(Cause::DeniedThoughBacked, &[Sr, EffScore])
            .expected(shown)
            .found(format!("{backed}/{all}"))
            .quote(&no)
    })
}

/// A short answer that is nothing but a text of the results.
fn whole_is_a_title(answer: &str, seen: &Case<'_>) -> bool {
    let letters = answer.trim().chars().count();
    (6..=120).contains(&letters) && seen.sources().has_name(answer.trim().trim_matches(['*', '"']))
}

/// The text without its dates, whose digits are no figures.
fn without_dates(text: &str) -> String {
    let mut text = text.to_owned();
    for (_, words) in dates(&text) {
        text = text.replace(&words, " ");
    }
    text
}

/// The answer without web addresses, whose digits are no figures.
fn without_addresses(answer: &str) -> String {
    let mut kept = String::with_capacity(answer.len());
    let mut rest = answer;
    while let Some(at) = rest.find("http") {
        kept.push_str(&rest[..at]);
        let end = rest[at..].find(|c: char| c.is_whitespace() || ")]>\"'".contains(c));
        rest = end.map_or("", |end| &rest[at + end..]);
    }
    kept.push_str(rest);
    kept
}

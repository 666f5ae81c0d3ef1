//! Wait that a server asks for: in `Retry-After` and similar headers, in headers with the reset
//! time of a limit, and in the details of Google's errors.

use jiff::Timestamp;
use reqwest::header::HeaderMap;
use serde_json::Value;
use std::time::Duration;

/// Headers with the reset time of a limit, used only if `Retry-After` is missing.
const RESETS: [&str; 8] = [
    "anthropic-ratelimit-requests-reset",
    "anthropic-ratelimit-tokens-reset",
    "anthropic-ratelimit-input-tokens-reset",
    "anthropic-ratelimit-output-tokens-reset",
    "x-ratelimit-reset-requests",
    "x-ratelimit-reset-tokens",
    "x-ratelimit-reset",
    "ratelimit-reset",
];

/// Wait that the headers of an answer ask for.
pub(crate) fn from_headers(headers: &HeaderMap) -> Option<Duration> {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).map(str::trim);
    if let Some(wait) = text("retry-after-ms").and_then(seconds) {
        return Some(wait / 1000);
    }
    if let Some(wait) = text("retry-after").and_then(|value| seconds(value).or_else(|| until_date(value))) {
        return Some(wait);
    }
    // Only exhausted limits matter. If a server does not report which ones are, the longest wait is
    // safe.
    let used_up = |name: &&&str| {
        let remaining = text(&name.replace("reset", "remaining"));
        remaining.is_none_or(|left| left.parse::<f64>().is_ok_and(|left| left <= 0.0))
    };
    RESETS.iter().filter(used_up).filter_map(|name| reset(text(name)?)).max()
}

/// Wait in `error.details[].retryDelay`, such as `"13s"`.
pub(crate) fn in_details(error: &Value) -> Option<Duration> {
    let details = error.get("details")?.as_array()?;
    details.iter().find_map(|detail| span(detail.get("retryDelay")?.as_str()?))
}

/// Wait from a reset header: seconds, a time of day, an epoch in seconds or milliseconds, or a span
/// such as `6m0s`.
fn reset(text: &str) -> Option<Duration> {
    /// A year in seconds. A larger number in a header is a point in time, not a span.
    const POINT_SECONDS: f64 = 31_536_000.0;
    match text.parse::<f64>() {
        Ok(number) if number > POINT_SECONDS => {
            let ms = if number > POINT_SECONDS * 1000.0 { number } else { number * 1000.0 };
            until(Timestamp::from_millisecond(ms as i64).ok()?)
        }
        Ok(_) => seconds(text),
        Err(_) => span(text).or_else(|| until(text.parse().ok()?)).or_else(|| until_date(text)),
    }
}

fn seconds(text: &str) -> Option<Duration> {
    Duration::try_from_secs_f64(text.parse().ok()?).ok()
}

/// Parses a span such as `1h2m3.5s` or `250ms`.
fn span(text: &str) -> Option<Duration> {
    let mut rest = text;
    let mut total = Duration::ZERO;
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit() && c != '.')?;
        let number: f64 = rest[..digits].parse().ok()?;
        let after = &rest[digits..];
        let unit = &after[..after.find(|c: char| c.is_ascii_digit()).unwrap_or(after.len())];
        let scale = match unit {
            "ms" => 0.001,
            "s" => 1.0,
            "m" => 60.0,
            "h" => 3600.0,
            _ => return None,
        };
        total += Duration::try_from_secs_f64(number * scale).ok()?;
        rest = &after[unit.len()..];
    }
    (!text.is_empty()).then_some(total)
}

fn until_date(text: &str) -> Option<Duration> {
    until(jiff::fmt::rfc2822::parse(text).ok()?.timestamp())
}

/// The time until a point in time; zero if it has passed.
fn until(then: Timestamp) -> Option<Duration> {
    Some(Duration::try_from(then.duration_since(Timestamp::now())).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use reqwest::header::{HeaderName, HeaderValue};

    fn wait(headers: &[(&'static str, &str)]) -> Option<f64> {
        let headers = headers.iter().map(|(name, value)| {
            let value = HeaderValue::from_str(value).expect("a value");
            (HeaderName::from_static(name), value)
        });
        from_headers(&headers.collect()).map(|wait| wait.as_secs_f64())
    }

    #[test]
    fn every_way_of_asking_is_read() {
        for (headers, seconds) in [
            (&[][..], None),
            (&[("retry-after", "7")], Some(7.0)),
            (&[("retry-after-ms", "1500"), ("retry-after", "2")], Some(1.5)),
            (&[("retry-after", "Wed, 21 Oct 2015 07:28:00 GMT")], Some(0.0)),
            (&[("retry-after", "soon")], None),
            (&[("x-ratelimit-reset-requests", "6m0.5s")], Some(360.5)),
            (&[("x-ratelimit-reset-tokens", "250ms")], Some(0.25)),
            (&[("ratelimit-reset", "30")], Some(30.0)),
            (&[("x-ratelimit-reset", "1445412480000")], Some(0.0)),
            (
                &[
                    ("anthropic-ratelimit-requests-remaining", "3"),
                    ("anthropic-ratelimit-requests-reset", "2999-01-01T00:00:00Z"),
                    ("anthropic-ratelimit-tokens-remaining", "0"),
                    ("anthropic-ratelimit-tokens-reset", "2015-01-01T00:00:00Z"),
                ],
                Some(0.0),
            ),
        ] {
            assert_eq!(wait(headers), seconds, "{headers:?}");
        }
    }

    #[test]
    fn google_asks_in_the_details() {
        let error = serde_json::json!({ "details": [{ "@type": "x" }, { "retryDelay": "13.5s" }] });
        assert_eq!(in_details(&error), Some(Duration::from_millis(13_500)));
        assert_eq!(in_details(&serde_json::json!({ "details": "none" })), None);
    }
}

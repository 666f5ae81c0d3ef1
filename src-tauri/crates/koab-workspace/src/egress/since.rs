//! Parses the start of a period: a date, a time, or a duration before now.

use crate::error::WireError;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use koab_core::say;

/// Start time in the format of log lines.
///
/// # Errors
/// One sentence with the accepted formats.
pub(super) fn read(text: &str) -> Result<String, WireError> {
    at(text.trim(), Timestamp::now(), &TimeZone::system()).ok_or_else(|| {
        WireError::bad_request(say!(
            "`{text}` is not a time; write a date such as 2026-11-21, a time such as 2026-11-21T09:00:00Z, or how long ago, such as 30m, 24h or 7d"
        ))
    })
}

fn at(text: &str, now: Timestamp, zone: &TimeZone) -> Option<String> {
    let time = match (ago(text), text.parse::<Timestamp>(), text.parse::<Date>()) {
        (Some(ago), ..) => now.checked_sub(ago).ok()?,
        (None, Ok(time), _) => time,
        // A day begins at midnight in the user's time zone.
        (None, Err(_), Ok(date)) => date.to_zoned(zone.clone()).ok()?.timestamp(),
        _ => return None,
    };
    Some(time.strftime("%Y-%m-%dT%H:%M:%S%.3fZ").to_string())
}

fn ago(text: &str) -> Option<SignedDuration> {
    let unit = match text.chars().last()? {
        'm' => 60,
        'h' => 3600,
        'd' => 86_400,
        _ => return None,
    };
    let number: i64 = text.get(..text.len() - 1)?.parse().ok().filter(|number| *number >= 0)?;
    Some(SignedDuration::from_secs(number.checked_mul(unit)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn since_when_can_be_said_in_three_ways() {
        let now: Timestamp = "2026-11-21T09:30:00Z".parse().unwrap();
        let seoul = TimeZone::fixed(jiff::tz::offset(9));
        for (text, time) in [
            ("30m", Some("2026-11-21T09:00:00.000Z")),
            ("24h", Some("2026-11-20T09:30:00.000Z")),
            ("7d", Some("2026-11-14T09:30:00.000Z")),
            ("2026-11-21", Some("2026-11-20T15:00:00.000Z")),
            ("2026-11-21T09:00:00+09:00", Some("2026-11-21T00:00:00.000Z")),
            ("yesterday", None),
            ("-3d", None),
            ("", None),
        ] {
            assert_eq!(at(text, now, &seoul).as_deref(), time, "{text}");
        }
        assert!(
            read("soon").unwrap_err().message.to_string().starts_with("`soon` is not a time; write a date")
        );
    }
}

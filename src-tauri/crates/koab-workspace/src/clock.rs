//! Clock of the operating system.

use jiff::Zoned;
use koab_engine::ports::Clock;

/// Reads the system's time in its time zone.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now_ms(&self) -> u64 {
        u64::try_from(jiff::Timestamp::now().as_millisecond()).unwrap_or(0)
    }

    fn local_iso(&self) -> String {
        Zoned::now().strftime("%Y-%m-%dT%H:%M:%S%.6f").to_string()
    }
}

/// Today's local date as `YYYY-MM-DD`.
pub fn today() -> String {
    Zoned::now().strftime("%Y-%m-%d").to_string()
}

/// Local date and minute of a time in milliseconds since the Unix epoch, such as
/// `2026-12-01 14:05`. Empty for a time that no calendar has.
pub fn local_minute(ms: u64) -> String {
    let time = i64::try_from(ms).ok().and_then(|ms| jiff::Timestamp::from_millisecond(ms).ok());
    let local = time.map(|time| time.to_zoned(jiff::tz::TimeZone::system()));
    local.map(|local| local.strftime("%Y-%m-%d %H:%M").to_string()).unwrap_or_default()
}

/// Local time as `YYYYMMDD_HHMMSS`, the name of a run's folder.
pub fn folder_date() -> String {
    Zoned::now().strftime("%Y%m%d_%H%M%S").to_string()
}

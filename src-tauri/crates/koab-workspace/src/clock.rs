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

/// Local time as `YYYYMMDD_HHMMSS`, the name of a run's folder.
pub fn folder_date() -> String {
    Zoned::now().strftime("%Y%m%d_%H%M%S").to_string()
}

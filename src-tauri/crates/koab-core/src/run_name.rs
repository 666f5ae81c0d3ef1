//! Names of runs: `<folder of the model>/<YYYYMMDD_HHMMSS>`, in the local time of the computer that
//! made the run.

/// Maximum length of a model's folder name, in bytes. It leaves enough space for the date in a
/// report's name.
const MAX_NAME_BYTES: usize = 200;

/// Name of a model's folder: `/` and characters that some file systems refuse become `_`.
pub fn model_folder(model: &str) -> String {
    let mut name: String = model.trim().chars().map(|c| if is_refused(c) { '_' } else { c }).collect();
    if name.is_empty() || name.starts_with('.') {
        name.insert(0, '_');
    }
    if name.ends_with(['.', ' ']) {
        name.push('_');
    }
    // File systems take 255 bytes. A hash of the whole id distinguishes long ids.
    if name.len() > MAX_NAME_BYTES {
        let hash = crate::cache_key::sha256_hex(model);
        name.truncate(name.floor_char_boundary(MAX_NAME_BYTES - 17));
        name = format!("{name}_{}", &hash[..16]);
    }
    name
}

/// Whether a folder's name is a spelling of a model's id.
pub fn is_of_model(folder: &str, model: &str) -> bool {
    closeness(folder, model).is_some()
}

/// Rank of how well a folder's name matches a model's id; 0 is an exact match. `None` if they do
/// not match.
pub fn closeness(folder: &str, model: &str) -> Option<u8> {
    let published = model.replace('/', "_");
    let plain = |text: &str| text.chars().map(|c| if is_refused(c) { '_' } else { c }).collect::<String>();
    if folder == published {
        Some(0)
    } else if plain(folder) == plain(model) || folder == model_folder(model) {
        Some(1)
    } else if plain(unversioned(folder)) == plain(unversioned(model)) {
        Some(2)
    } else if plain(unversioned(folder)).eq_ignore_ascii_case(&plain(unversioned(model))) {
        Some(3)
    } else {
        None
    }
}

/// An id without a version such as `:0` at its end, which the publishers' file system removed.
fn unversioned(text: &str) -> &str {
    match text.rsplit_once(':') {
        Some((before, after)) if after.bytes().all(|byte| byte.is_ascii_digit()) => before,
        _ => text,
    }
}

/// Whether a request for the model `asked` includes a run of the model `stated`, if both have the
/// same folder name.
///
/// Two ids may have the same folder name, such as `a:b` and `a/b`. A request that names one of the
/// ids includes only runs of this id. A request that names the folder includes runs of both.
pub fn is_meant(stated: &str, asked: &str) -> bool {
    !asked.contains(is_refused) || unversioned(stated).eq_ignore_ascii_case(unversioned(asked))
}

/// Whether file systems refuse a character in a name.
pub fn is_refused(c: char) -> bool {
    matches!(c, '/' | '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|') || c.is_control()
}

/// Seconds since 1970 of the date in a run's name, read as UTC; `None` if it is not a date.
///
/// The number is computed without a date library, since this crate must not depend on a clock.
pub fn seconds_of(date: &str) -> Option<i64> {
    let (day, time) = date.split_once('_')?;
    let digits = |text: &str, length: usize| text.len() == length && text.bytes().all(|c| c.is_ascii_digit());
    if !digits(day, 8) || !digits(time, 6) {
        return None;
    }
    let number = |text: &str, at: usize| -> Option<i64> { text.get(at..at + 2)?.parse().ok() };
    let (year, month, of_month) = (day.get(..4)?.parse::<i64>().ok()?, number(day, 4)?, number(day, 6)?);
    let (hour, minute, second) = (number(time, 0)?, number(time, 2)?, number(time, 4)?);
    let is_time = hour < 24 && minute < 60 && second < 60;
    (is_time && (1..=days_in(year, month)?).contains(&of_month))
        .then(|| ((days_before(year, month) + of_month - 1) * 24 + hour) * 3600 + minute * 60 + second)
}

fn days_in(year: i64, month: i64) -> Option<i64> {
    (1..=12).contains(&month).then(|| {
        let (next, of_next) = if month == 12 { (year + 1, 1) } else { (year, month + 1) };
        days_before(next, of_next) - days_before(year, month)
    })
}

/// Days from 1970 to the first day of a month in the Gregorian calendar.
///
/// A year begins in March here, so that the leap day is its last day.
fn days_before(year: i64, month: i64) -> i64 {
    let years = if month > 2 { year } else { year - 1 };
    let months = (month + 9) % 12;
    365 * years + years.div_euclid(4) - years.div_euclid(100) + years.div_euclid(400) + (153 * months + 2) / 5
        - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_is_one_that_the_calendar_has() {
        for (date, seconds) in [
            ("19700101_000000", Some(0)),
            ("20000229_235959", Some(951_868_799)),
            ("20251219_135528", Some(1_766_152_528)),
            ("20260228_000000", Some(1_772_236_800)),
            ("20260229_000000", None),
            ("20251301_000000", None),
            ("20251200_000000", None),
            ("20251219_240000", None),
            ("20251219-135528", None),
            ("20251219_13552", None),
            ("2025121９_135528", None),
            ("", None),
        ] {
            assert_eq!(seconds_of(date), seconds, "{date}");
        }
    }
}

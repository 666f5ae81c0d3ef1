//! Natural order, which sorts `task_2` before `task_10`.
//!
//! No existing crate has this order: `alphanumeric-sort` sorts a number followed by Korean before
//! ASCII and `7` before `07`, `natord` skips blanks, and `natural-sort-rs` does not distinguish
//! `07` from `7`.

use std::cmp::Ordering;

/// Compares runs of digits as numbers and all other characters one by one.
///
/// Names that are equal in this order, such as `07` and `7`, are compared as text, so that the
/// order is total.
pub(crate) fn natural(a: &str, b: &str) -> Ordering {
    let (mut left, mut right) = (a, b);
    loop {
        let (Some(x), Some(y)) = (left.chars().next(), right.chars().next()) else {
            return left.len().cmp(&right.len()).then_with(|| a.cmp(b));
        };
        let order = if x.is_ascii_digit() && y.is_ascii_digit() {
            let (number_left, number_right) = (digits(&mut left), digits(&mut right));
            let lengths = number_left.len().cmp(&number_right.len());
            lengths.then_with(|| number_left.cmp(number_right))
        } else {
            left = &left[x.len_utf8()..];
            right = &right[y.len_utf8()..];
            x.cmp(&y)
        };
        if order != Ordering::Equal {
            return order;
        }
    }
}

/// Removes the leading digits from `text`, and returns them without leading zeros.
fn digits<'a>(text: &mut &'a str) -> &'a str {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, rest) = text.split_at(end);
    *text = rest;
    number.trim_start_matches('0')
}

#[cfg(test)]
mod tests {
    use super::natural;

    #[test]
    fn numbers_count_as_numbers() {
        let mut names = ["t10", "t2", "t02", "t", "t1b", "s99", "t1a10", "t1a9", "가2", "가10"];
        names.sort_by(|a, b| natural(a, b));
        assert_eq!(names, ["s99", "t", "t1a9", "t1a10", "t1b", "t02", "t2", "t10", "가2", "가10"]);
    }
}

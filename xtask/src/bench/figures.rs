//! Parses figures that tests print, one per line: `figure: NAME: 1.5 ms`.

/// Returns name, value and unit of a line in the form `figure: NAME: 1.5 ms`; `None` for other
/// lines.
pub(super) fn figure(line: &str) -> Option<(&str, f64, &'static str)> {
    let (name, value) = line.strip_prefix("figure: ")?.rsplit_once(": ")?;
    let (number, unit) = value.split_once(' ').unwrap_or((value, ""));
    let unit = match unit.trim() {
        "ms" => "ms",
        "s" => "s",
        "MiB" => "MiB",
        _ => "",
    };
    Some((name, number.parse().ok()?, unit))
}

#[cfg(test)]
mod tests {
    use super::figure;

    #[test]
    fn figures_are_read_from_the_lines_that_have_them() {
        let line = "figure: first word, chat, median: 0.684 ms";
        assert_eq!(figure(line), Some(("first word, chat, median", 0.684, "ms")));
        assert_eq!(figure("figure: 91 tasks: 19.2 s"), Some(("91 tasks", 19.2, "s")));
        assert_eq!(
            figure("figure: calls a second, 8 at once: 171.949 "),
            Some(("calls a second, 8 at once", 171.949, ""))
        );
        assert_eq!(figure("running 1 test"), None);
    }
}

//! Tables for spreadsheets and programs: CSV (RFC 4180).

use csv::{Terminator, WriterBuilder};

/// The rows as CSV with LF line ends.
pub fn lf<R: IntoIterator<Item: AsRef<[u8]>>>(rows: impl IntoIterator<Item = R>) -> String {
    written(rows, Terminator::Any(b'\n'))
}

/// The rows as CSV with CRLF line ends.
pub fn crlf<R: IntoIterator<Item: AsRef<[u8]>>>(rows: impl IntoIterator<Item = R>) -> String {
    written(rows, Terminator::CRLF)
}

fn written<R: IntoIterator<Item: AsRef<[u8]>>>(rows: impl IntoIterator<Item = R>, end: Terminator) -> String {
    let mut writer = WriterBuilder::new().flexible(true).terminator(end).from_writer(Vec::new());
    for row in rows {
        // Writing to memory cannot fail.
        let _ = writer.write_record(row);
    }
    String::from_utf8(writer.into_inner().unwrap_or_default()).unwrap_or_default()
}

/// Puts an apostrophe before a text that a spreadsheet would run as a formula, so that the
/// spreadsheet shows the text.
pub fn guarded(text: &str) -> String {
    if text.starts_with(['=', '+', '-', '@', '\t', '\r']) { format!("'{text}") } else { text.to_owned() }
}

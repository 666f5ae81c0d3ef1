//! Decodes the text of tables from other programs.

/// Decodes the text of a table: UTF-8, UTF-16 with a byte order mark (called "Unicode" in
/// spreadsheets), or CP949 from Korean spreadsheets.
pub fn table_text(bytes: &[u8]) -> Option<String> {
    if let [0xff, 0xfe, ..] | [0xfe, 0xff, ..] = bytes {
        let (text, _, is_damaged) = encoding_rs::UTF_16LE.decode(bytes);
        return (!is_damaged).then(|| text.into_owned());
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    if bytes.contains(&0) {
        return None;
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => Some(text.to_owned()),
        // By the WHATWG encoding standard, the label EUC-KR means CP949.
        Err(_) => encoding_rs::EUC_KR
            .decode_without_bom_handling_and_without_replacement(bytes)
            .map(std::borrow::Cow::into_owned),
    }
}

#[cfg(test)]
mod tests;

//! Tables as other programs write them.

/// The text of a table: UTF-8, or CP949 as Korean spreadsheets save it.
pub fn table_text(bytes: &[u8]) -> Option<String> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    if bytes.contains(&0) {
        return None;
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => Some(text.to_owned()),
        // The label means CP949 everywhere on the web.
        Err(_) => encoding_rs::EUC_KR
            .decode_without_bom_handling_and_without_replacement(bytes)
            .map(std::borrow::Cow::into_owned),
    }
}

#[cfg(test)]
mod tests;

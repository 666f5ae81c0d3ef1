//! Texts of others in a table of Markdown.

/// The text of a cell: on one line, and with nothing in it that ends the cell. Published files are
/// written without it.
pub fn markdown_cell(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('|', "\\|");
    text.replace(['\n', '\r'], " ")
}

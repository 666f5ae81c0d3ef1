//! Texts from outside of this program in Markdown tables.

/// Text for a table cell: on one line, and without characters that end the cell. Published files do
/// not use it.
pub fn markdown_cell(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('|', "\\|");
    text.replace(['\n', '\r'], " ")
}

//! Foreign texts in Markdown tables.

/// Text of a cell, on one line and without anything that ends the cell. Published files do not use
/// it.
pub fn markdown_cell(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('|', "\\|");
    text.replace(['\n', '\r'], " ")
}

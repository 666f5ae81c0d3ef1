//! The list of tools, read page by page.

use koab_core::say;
use koab_core::sentence::Sentence;
use koab_mcp::RawValue;
use serde::Deserialize;

/// Maximum number of pages in a server's list of tools.
const PAGES: usize = 1000;
/// Maximum number of bytes of all pages.
///
/// Escaped in a JSON string, the pages are at most twice as long and still within the limit of an
/// import.
const BYTES: usize = 24 << 20;

/// Tools of the pages of the list that have arrived.
#[derive(Debug, Default)]
pub(crate) struct ToolPages {
    tools: Vec<String>,
    pages: usize,
    bytes: usize,
}

#[derive(Deserialize)]
struct Page {
    tools: Vec<Box<RawValue>>,
    #[serde(rename = "nextCursor", default)]
    next: Option<String>,
}

impl ToolPages {
    /// Adds a page of the list. Returns the cursor of the next page, if there is one.
    ///
    /// # Errors
    /// One sentence, when the answer is not a page or there are too many pages. A partial list of
    /// tools is not used.
    pub(crate) fn add(&mut self, result: &RawValue) -> Result<Option<String>, Sentence> {
        self.pages += 1;
        self.bytes += result.get().len();
        if self.pages > PAGES || self.bytes > BYTES {
            return Err(say!(
                "the server's list of tools is longer than {PAGES} pages or {} MiB",
                BYTES >> 20
            ));
        }
        let page: Page = serde_json::from_str(result.get()).map_err(|_| {
            let page = self.pages;
            say!("the server's list of tools cannot be read: page {page} has no tools, or its nextCursor is not a string")
        })?;
        self.tools.extend(page.tools.iter().map(|tool| tool.get().to_owned()));
        Ok(page.next.filter(|next| !next.is_empty()))
    }

    /// Takes all tools, each as its JSON text, and resets the list.
    pub(crate) fn take(&mut self) -> Vec<String> {
        std::mem::take(self).tools
    }
}

#[cfg(test)]
mod tests;

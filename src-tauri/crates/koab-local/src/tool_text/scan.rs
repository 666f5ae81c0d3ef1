//! Scans a text once and extracts reasoning and calls.

use super::json::{LeadingJson, calls_in, value_at};
use super::markup;
use super::{ReadCall, ReadText, ToolForm};
use koab_core::tool::ToolSpec;

const THINK_START: &str = "<think>";
const THINK_END: &str = "</think>";

/// Maximum number of cut-off JSON values that are parsed. In a text that was cut off within JSON,
/// each brace would otherwise be read to the end.
const MAX_CUT_OFF: usize = 32;

/// Parses a text for the markup of one form, or of all forms.
pub(super) fn read(text: &str, form: ToolForm, offered: &[ToolSpec]) -> ReadText {
    let mut walk = Walk {
        text,
        form,
        offered,
        content: String::new(),
        calls: Vec::new(),
        reasoning: None,
        after_call: 0,
        cut_off: 0,
    };
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let step = rest.find(['<', '[', '{', '`']).unwrap_or(rest.len());
        let (plain, rest) = rest.split_at(step);
        walk.content.push_str(plain);
        at += step;
        at += walk.step(rest, at);
    }
    walk.finish()
}

struct Walk<'a> {
    text: &'a str,
    form: ToolForm,
    offered: &'a [ToolSpec],
    content: String,
    calls: Vec<ReadCall>,
    reasoning: Option<String>,
    /// Length of the content at the time when the last call was extracted.
    after_call: usize,
    cut_off: usize,
}

impl Walk<'_> {
    /// Parses the next part of the text, which is at byte `at`. Returns the number of bytes of the
    /// part.
    fn step(&mut self, rest: &str, at: usize) -> usize {
        let thought = self.thought(rest, at);
        if thought > 0 {
            return thought;
        }
        if let Some((calls, length)) = markup::calls(rest, self.form, self.offered) {
            self.take(calls);
            return length;
        }
        let mut plain = rest.chars().next().map_or(0, char::len_utf8);
        if matches!(self.form, ToolForm::Auto | ToolForm::Llama3) && self.cut_off < MAX_CUT_OFF {
            match value_at(rest) {
                LeadingJson::Value(value, length) => match calls_in(value, true) {
                    Some(calls) if calls.iter().all(|call| markup::offers(self.offered, call)) => {
                        self.take(calls);
                        return length;
                    }
                    // No part of it is a call either.
                    _ => plain = length,
                },
                LeadingJson::CutOff => self.cut_off += 1,
                LeadingJson::Nothing => {}
            }
        }
        self.content.push_str(rest.get(..plain).unwrap_or(rest));
        plain
    }

    /// Parses reasoning at byte `at`, and returns its number of bytes. The number is 0 without
    /// reasoning.
    fn thought(&mut self, rest: &str, at: usize) -> usize {
        let (thought, length) = if let Some(inside) = rest.strip_prefix(THINK_START) {
            match inside.find(THINK_END) {
                Some(end) => (inside.get(..end), THINK_START.len() + end + THINK_END.len()),
                // The text was cut off within the reasoning.
                None => (Some(inside), rest.len()),
            }
        } else if rest.starts_with(THINK_END) && self.reasoning.is_none() {
            // The template opened the reasoning in the prompt, so all text so far belongs to it.
            self.content.clear();
            self.calls.clear();
            self.after_call = 0;
            (self.text.get(..at), THINK_END.len())
        } else {
            return 0;
        };
        let thought = thought.unwrap_or_default().trim();
        match &mut self.reasoning {
            Some(before) => {
                before.push('\n');
                before.push_str(thought);
            }
            None => self.reasoning = Some(thought.to_owned()),
        }
        let after = rest.get(length..).unwrap_or_default();
        if self.content.trim().is_empty() {
            self.content.clear();
            return length + after.len() - after.trim_start().len();
        }
        length
    }

    fn take(&mut self, calls: Vec<ReadCall>) {
        self.drop_separators();
        self.calls.extend(calls);
        self.after_call = self.content.len();
    }

    /// Drops separators, such as semicolons, between calls or after the last call.
    fn drop_separators(&mut self) {
        let since = self.content.get(self.after_call..).unwrap_or_default();
        if !self.calls.is_empty() && since.chars().all(|c| c.is_whitespace() || matches!(c, ';' | ',')) {
            self.content.truncate(self.after_call);
        }
    }

    fn finish(mut self) -> ReadText {
        if !self.calls.is_empty() {
            self.drop_separators();
            self.content = self.content.trim().to_owned();
        }
        ReadText { content: self.content, calls: self.calls, reasoning: self.reasoning }
    }
}

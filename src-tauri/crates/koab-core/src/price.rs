//! Prices of tokens: a dated price table, and the lookup of a model's price.
//!
//! A model that is not in the table has no price, which is not the same as a price of 0.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// USD per million tokens.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(deny_unknown_fields)]
pub struct Price {
    /// Price of prompt tokens. Discounts for cached tokens are ignored.
    pub input: f64,
    /// Price of completion tokens, including those of thinking.
    pub output: f64,
}

impl Price {
    /// Cost of these tokens in USD.
    pub fn cost(self, prompt_tokens: u64, completion_tokens: u64) -> f64 {
        (prompt_tokens as f64 * self.input + completion_tokens as f64 * self.output) / 1e6
    }
}

/// A line of a price table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PriceEntry {
    /// USD per million prompt tokens.
    pub input: f64,
    /// USD per million completion tokens.
    pub output: f64,
    /// Text, such as a web address, that tells where the price was published; `None` if the table
    /// does not tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// Whether no source of the provider itself confirms the price.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unconfirmed: bool,
}

impl PriceEntry {
    /// The price without its source.
    pub fn price(&self) -> Price {
        Price { input: self.input, output: self.output }
    }
}

/// Prices by model id `provider/model`. A name may end in `*`, which matches any ending.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PriceTable {
    /// Date of the prices, `YYYY-MM-DD`.
    pub as_of: String,
    /// Description and origin of the table, for people.
    #[serde(default)]
    pub note: String,
    /// The prices by model id.
    pub models: BTreeMap<String, PriceEntry>,
}

/// A price table that cannot be used.
#[derive(Debug, thiserror::Error, koab_core::Say)]
pub enum BadPrices {
    /// The text is not JSON, or its structure is wrong.
    #[error("is not a price table: {0}")]
    Form(#[from] serde_json::Error),
    /// A price is below 0 or not a number.
    #[error("the price of {0} must be 0 or more USD per million tokens")]
    Value(String),
}

impl PriceTable {
    /// Reads `{"as_of": …, "models": {"provider/model": {"input": …, "output": …}}}`.
    ///
    /// # Errors
    /// When the text has another structure, or a price is below 0.
    pub fn parse(text: &str) -> Result<Self, BadPrices> {
        let table: Self = serde_json::from_str(text)?;
        let sound = |value: f64| value.is_finite() && value >= 0.0;
        match table.models.iter().find(|(_, price)| !sound(price.input) || !sound(price.output)) {
            Some((model, _)) => Err(BadPrices::Value(model.clone())),
            None => Ok(table),
        }
    }

    /// The price of a model: its own entry, or else the longest matching entry with `*`.
    ///
    /// Letter case and a version at the end (`:0`) do not matter.
    pub fn find(&self, model: &str) -> Option<Price> {
        let id = plain(model);
        let fits = |name: &str| match name.strip_suffix('*') {
            Some(start) => id.starts_with(start).then_some((false, start.len())),
            None => (name == id).then_some((true, name.len())),
        };
        let matches =
            self.models.iter().filter_map(|(name, price)| Some((fits(&plain(name))?, price.price())));
        matches.max_by_key(|(closeness, _)| *closeness).map(|(_, price)| price)
    }
}

fn plain(model: &str) -> String {
    let model = model.trim().to_lowercase();
    match model.rsplit_once(':') {
        Some((name, version)) if !version.is_empty() && version.bytes().all(|b| b.is_ascii_digit()) => {
            name.to_owned()
        }
        _ => model,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_closest_entry_gives_the_price() {
        let table = PriceTable::parse(
            r#"{"as_of": "2026-01-01", "models": {
                "azure/gpt-4o": {"input": 2.5, "output": 10}, "azure/gpt-4o-*": {"input": 1, "output": 1},
                "azure/gpt-4o-mini": {"input": 0.15, "output": 0.6}, "ollama/*": {"input": 0, "output": 0},
                "bedrock/us.nova:0": {"input": 0.06, "output": 0.24}}}"#,
        )
        .expect("a table");
        for (model, input) in [
            ("azure/gpt-4o", Some(2.5)),
            ("Azure/GPT-4o ", Some(2.5)),
            ("azure/gpt-4o-mini", Some(0.15)),
            ("azure/gpt-4o-nano", Some(1.0)),
            ("ollama/qwen3:8b", Some(0.0)),
            ("bedrock/us.nova", Some(0.06)),
            ("bedrock/us.nova:1", Some(0.06)),
            ("openai/gpt-4o", None),
            ("azure/gpt-5", None),
        ] {
            assert_eq!(table.find(model).map(|price| price.input), input, "{model}");
        }
        let price = table.find("azure/gpt-4o").expect("listed");
        assert_eq!(price.cost(1_000_000, 100_000), 3.5);
    }

    #[test]
    fn a_table_of_another_form_is_refused_with_the_reason() {
        for (text, why) in [
            ("", "is not a price table: EOF while parsing a value at line 1 column 0"),
            (
                r#"{"as_of": "", "models": {"a/b": {"input": -1, "output": 1}}}"#,
                "the price of a/b must be 0 or more USD per million tokens",
            ),
            (
                r#"{"as_of": "", "models": {"a/b": {"input": 1}}}"#,
                "is not a price table: missing field `output` at line 1 column 44",
            ),
        ] {
            assert_eq!(PriceTable::parse(text).expect_err(text).to_string(), why);
        }
    }
}

//! Prices of models: the table that is built into the program, and the user's own table in the
//! workspace, which takes precedence.

use crate::Models;
use koab_core::price::{Price, PriceEntry, PriceTable};
use koab_core::sentence::Sentence;
use koab_core::sentence::ToSentence;
use koab_core::{say, text_file};
use koab_workspace::WireError;
use serde::Serialize;
use std::path::PathBuf;
use ts_rs::TS;

const BUILT_IN_PRICES: &str = include_str!("../data/prices.json");

/// A price, as `koab models prices` shows it.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct PriceRow {
    /// Model id, or the start of one with `*`.
    pub model: String,
    /// USD per million prompt tokens.
    pub input: f64,
    /// USD per million completion tokens.
    pub output: f64,
    /// Date of the price, `YYYY-MM-DD`.
    pub as_of: String,
    /// Source of the price, if the table names one.
    pub source: Option<String>,
    /// Whether no source of the provider confirms the price.
    pub unconfirmed: bool,
    /// Whether the price is in the workspace's `prices.json`.
    pub own: bool,
}

impl Models {
    /// All prices, the user's own first.
    ///
    /// # Errors
    /// When the user's table cannot be read.
    pub fn prices(&self) -> Result<Vec<PriceRow>, WireError> {
        let (own, carried) = self.price_tables()?;
        let rows = |table: PriceTable, own: bool| {
            let as_of = table.as_of;
            let row = move |(model, price): (String, PriceEntry)| PriceRow {
                model,
                input: price.input,
                output: price.output,
                as_of: as_of.clone(),
                source: price.source,
                unconfirmed: price.unconfirmed,
                own,
            };
            table.models.into_iter().map(row)
        };
        let own = own.into_iter().flat_map(|table| rows(table, true));
        Ok(own.chain(rows(carried, false)).collect())
    }

    /// Writes the built-in table into the workspace, for the user to edit. An existing table is
    /// kept.
    ///
    /// # Errors
    /// When the file system reports an error.
    pub fn prices_copy(&self) -> Result<PathBuf, WireError> {
        let path = self.workspace.home().prices();
        self.workspace.home().create()?;
        let outcome = std::fs::File::create_new(&path)
            .and_then(|mut file| std::io::Write::write_all(&mut file, BUILT_IN_PRICES.as_bytes()));
        match outcome {
            Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => Err(WireError::storage(say!(
                "{} cannot be written: {error}; free the disk or choose another workspace with --home",
                path.display()
            ))),
            _ => Ok(path),
        }
    }

    /// Sets the user's own price of a model (USD per million tokens in and out). `None` removes it,
    /// so that the built-in price applies again.
    ///
    /// The date of the user's table becomes today.
    ///
    /// # Errors
    /// When a price is below 0, the user's table cannot be read, or the file system reports an
    /// error.
    pub fn price_set(&self, model: &str, price: Option<(f64, f64)>) -> Result<Vec<PriceRow>, WireError> {
        let model = model.trim();
        if !model.contains('/') {
            return Err(WireError::bad_request(say!(
                "`{model}` is not a model id; write provider/model, such as openai/gpt-4o or ollama/*"
            )));
        }
        let (own, _) = self.price_tables()?;
        let mut table = own.unwrap_or_else(|| PriceTable {
            as_of: String::new(),
            note: "Own prices in USD per million tokens.".to_owned(),
            models: Default::default(),
        });
        table.as_of = koab_workspace::clock::today();
        match price {
            Some((input, output)) if [input, output].iter().all(|n| n.is_finite() && *n >= 0.0) => {
                let entry = PriceEntry { input, output, source: None, unconfirmed: false };
                table.models.insert(model.to_owned(), entry);
            }
            Some(_) => {
                return Err(WireError::bad_request(say!(
                    "the price of {model} must be 0 or more USD per million tokens"
                )));
            }
            None => {
                table.models.remove(model);
            }
        }
        self.workspace.home().create()?;
        let text = serde_json::to_string_pretty(&table).map_err(WireError::internal)?;
        koab_store::atomic::write(&self.workspace.home().prices(), text.as_bytes())?;
        self.prices()
    }

    /// The price of a model; `None` if it is unknown.
    pub fn price(&self, model: &str) -> Result<Option<Price>, WireError> {
        let (own, carried) = self.price_tables()?;
        Ok(own.and_then(|table| table.find(model)).or_else(|| carried.find(model)))
    }

    fn price_tables(&self) -> Result<(Option<PriceTable>, PriceTable), WireError> {
        let carried = PriceTable::parse(BUILT_IN_PRICES).map_err(WireError::internal)?;
        let path = self.workspace.home().prices();
        let bad = |why: Sentence| WireError::bad_file(say!("{} {why}", path.display()));
        let own = match std::fs::read(&path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
            read => {
                let text = text_file::text_of(read).map_err(bad)?;
                Some(PriceTable::parse(&text).map_err(|error| bad(error.to_sentence()))?)
            }
        };
        Ok((own, carried))
    }
}

#[cfg(test)]
mod tests;

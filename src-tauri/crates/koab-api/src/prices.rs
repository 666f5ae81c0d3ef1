//! What models cost: the table that is carried in the program, and the user's own in the workspace, which goes first.

use crate::Api;
use crate::wire::{ErrorCode, WireError};
use koab_core::price::{Price, PriceTable};
use serde::Serialize;
use std::path::PathBuf;

const CARRIED: &str = include_str!("../data/prices.json");

/// A price as `koab models prices` shows it.
#[derive(Clone, Debug, Serialize)]
pub struct PriceRow {
    /// Model id, or the start of one with `*`.
    pub model: String,
    /// USD per million prompt tokens.
    pub input: f64,
    /// USD per million completion tokens.
    pub output: f64,
    /// Date of the price, `YYYY-MM-DD`.
    pub as_of: String,
    /// Whether it stands in the workspace's `prices.json`.
    pub own: bool,
}

impl Api {
    /// The user's price table; it need not exist.
    pub fn prices_file(&self) -> PathBuf {
        self.home().path().join("prices.json")
    }

    /// All prices, the user's own first.
    ///
    /// # Errors
    /// When the user's table cannot be read.
    pub fn prices(&self) -> Result<Vec<PriceRow>, WireError> {
        let (own, carried) = self.price_tables()?;
        let rows = |table: PriceTable, own: bool| {
            let as_of = table.as_of;
            let row = move |(model, price): (String, Price)| PriceRow {
                model,
                input: price.input,
                output: price.output,
                as_of: as_of.clone(),
                own,
            };
            table.models.into_iter().map(row)
        };
        let own = own.into_iter().flat_map(|table| rows(table, true));
        Ok(own.chain(rows(carried, false)).collect())
    }

    /// Writes the carried table into the workspace, to be edited there. One that is there already stays.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn prices_copy(&self) -> Result<PathBuf, WireError> {
        let path = self.prices_file();
        self.home().create()?;
        let made = std::fs::File::create_new(&path)
            .and_then(|mut file| std::io::Write::write_all(&mut file, CARRIED.as_bytes()));
        match made {
            Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => {
                Err(WireError::storage(format!(
                    "{} cannot be written: {error}; free the disk or choose another workspace with --home",
                    path.display()
                )))
            }
            _ => Ok(path),
        }
    }

    /// The price of a model; `None` when nobody has told it.
    pub(crate) fn price(&self, model: &str) -> Result<Option<Price>, WireError> {
        let (own, carried) = self.price_tables()?;
        Ok(own
            .and_then(|table| table.find(model))
            .or_else(|| carried.find(model)))
    }

    fn price_tables(&self) -> Result<(Option<PriceTable>, PriceTable), WireError> {
        let carried = PriceTable::parse(CARRIED).map_err(WireError::internal)?;
        let path = self.prices_file();
        let bad = |why: String| WireError::new(ErrorCode::BadFile, format!("{} {why}", path.display()));
        let own = match std::fs::read_to_string(&path) {
            Ok(text) => Some(PriceTable::parse(&text).map_err(|error| bad(error.to_string()))?),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
            Err(error) => return Err(bad(format!("cannot be read: {error}"))),
        };
        Ok((own, carried))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Home;

    fn api(home: &std::path::Path) -> Api {
        Api::open(Some(home.to_owned())).expect("opened")
    }

    #[test]
    fn the_user_s_price_goes_first_and_a_faulty_table_is_named() {
        let folder = tempfile::tempdir().expect("a folder");
        let api = api(folder.path());
        assert_eq!(
            api.price("azure/gpt-4o").expect("read").map(|p| p.input),
            Some(2.5)
        );
        assert_eq!(api.price("openai_compat/mine").expect("read"), None);
        let own = r#"{"as_of": "2026-11-20", "models": {"openai_compat/*": {"input": 0, "output": 0}, "azure/gpt-4o": {"input": 1, "output": 2}}}"#;
        std::fs::write(api.prices_file(), own).expect("written");
        assert_eq!(
            api.price("azure/gpt-4o").expect("read").map(|p| p.input),
            Some(1.0)
        );
        assert_eq!(
            api.price("openai_compat/mine").expect("read").map(|p| p.input),
            Some(0.0)
        );
        assert!(api.prices().expect("read")[0].own);
        std::fs::write(api.prices_file(), own.replace('2', "-2")).expect("written");
        let error = api
            .price("azure/gpt-4o")
            .expect_err("a price below 0")
            .to_string();
        assert!(
            error.ends_with("prices.json the price of azure/gpt-4o must be 0 or more USD per million tokens"),
            "{error}"
        );
    }

    #[test]
    fn a_copy_to_edit_never_replaces_one() {
        let folder = tempfile::tempdir().expect("a folder");
        let home = Home::resolve(Some(folder.path().join("new"))).expect("resolved");
        let api = api(home.path());
        let path = api.prices_copy().expect("written");
        assert_eq!(std::fs::read_to_string(&path).expect("read"), CARRIED);
        std::fs::write(&path, "mine").expect("written");
        api.prices_copy().expect("nothing to do");
        assert_eq!(std::fs::read_to_string(&path).expect("read"), "mine");
    }
}

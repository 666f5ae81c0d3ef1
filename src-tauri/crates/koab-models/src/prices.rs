//! What models cost: the table that is carried in the program, and the user's own in the workspace, which goes first.

use crate::Models;
use koab_core::price::{Price, PriceEntry, PriceTable};
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_core::sentence::ToSentence;
use koab_workspace::WireError;
use serde::Serialize;
use std::path::PathBuf;
use ts_rs::TS;

const CARRIED: &str = include_str!("../data/prices.json");

/// A price as `koab models prices` shows it.
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
    /// Where it is from, when the table says so.
    pub source: Option<String>,
    /// Whether it was found nowhere that its provider answers for.
    pub unconfirmed: bool,
    /// Whether it stands in the workspace's `prices.json`.
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

    /// Writes the carried table into the workspace, to be edited there. One that is there already stays.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn prices_copy(&self) -> Result<PathBuf, WireError> {
        let path = self.workspace.home().prices();
        self.workspace.home().create()?;
        let made = std::fs::File::create_new(&path)
            .and_then(|mut file| std::io::Write::write_all(&mut file, CARRIED.as_bytes()));
        match made {
            Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => Err(WireError::storage(say!(
                "{} cannot be written: {error}; free the disk or choose another workspace with --home",
                path.display()
            ))),
            _ => Ok(path),
        }
    }

    /// Sets the user's own price of a model (USD per million tokens in and out), or with `None` takes it away, so that the carried one counts again. The date
    /// of the user's table is that of its last change.
    ///
    /// # Errors
    /// When a price is below 0, the user's table cannot be read, or the disk refuses.
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
                let entry = PriceEntry {
                    input,
                    output,
                    source: None,
                    unconfirmed: false,
                };
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

    /// The price of a model; `None` when nobody has told it.
    pub fn price(&self, model: &str) -> Result<Option<Price>, WireError> {
        let (own, carried) = self.price_tables()?;
        Ok(own
            .and_then(|table| table.find(model))
            .or_else(|| carried.find(model)))
    }

    fn price_tables(&self) -> Result<(Option<PriceTable>, PriceTable), WireError> {
        let carried = PriceTable::parse(CARRIED).map_err(WireError::internal)?;
        let path = self.workspace.home().prices();
        let bad = |why: Sentence| WireError::bad_file(say!("{} {why}", path.display()));
        let own = match std::fs::read_to_string(&path) {
            Ok(text) => Some(PriceTable::parse(&text).map_err(|error| bad(error.to_sentence()))?),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
            Err(error) => return Err(bad(say!("cannot be read: {error}"))),
        };
        Ok((own, carried))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use koab_workspace::Home;

    fn api(home: &std::path::Path) -> Models {
        Models::at(home)
    }

    #[test]
    fn the_user_s_price_goes_first_and_a_faulty_table_is_named() {
        let folder = tempfile::tempdir().expect("a folder");
        let models = api(folder.path());
        assert_eq!(
            models.price("azure/gpt-4o").expect("read").map(|p| p.input),
            Some(2.5)
        );
        assert_eq!(models.price("openai_compat/mine").expect("read"), None);
        let own = r#"{"as_of": "2026-11-20", "models": {"openai_compat/*": {"input": 0, "output": 0}, "azure/gpt-4o": {"input": 1, "output": 2}}}"#;
        std::fs::write(models.workspace.home().prices(), own).expect("written");
        assert_eq!(
            models.price("azure/gpt-4o").expect("read").map(|p| p.input),
            Some(1.0)
        );
        assert_eq!(
            models.price("openai_compat/mine").expect("read").map(|p| p.input),
            Some(0.0)
        );
        assert!(models.prices().expect("read")[0].own);
        std::fs::write(models.workspace.home().prices(), own.replace('2', "-2")).expect("written");
        let error = models
            .price("azure/gpt-4o")
            .expect_err("a price below 0")
            .to_string();
        assert!(
            error.ends_with("prices.json the price of azure/gpt-4o must be 0 or more USD per million tokens"),
            "{error}"
        );
    }

    #[test]
    fn an_own_price_is_set_dated_and_taken_away() {
        let folder = tempfile::tempdir().expect("a folder");
        let models = api(folder.path());
        let rows = models.price_set(" ollama/* ", Some((0.0, 0.5))).expect("set");
        assert_eq!(
            (rows[0].model.as_str(), rows[0].output, rows[0].own),
            ("ollama/*", 0.5, true)
        );
        assert_eq!(rows[0].as_of, koab_workspace::clock::today());
        for (model, price) in [
            ("gpt", Some((1.0, 1.0))),
            ("a/b", Some((-1.0, 0.0))),
            ("a/b", Some((f64::NAN, 0.0))),
        ] {
            models.price_set(model, price).expect_err("refused");
        }
        let rows = models.price_set("ollama/*", None).expect("taken away");
        assert!(rows.iter().all(|row| !row.own));
    }

    #[test]
    fn every_carried_price_names_its_source_and_every_published_model_has_one() {
        let folder = tempfile::tempdir().expect("a folder");
        let models = api(folder.path());
        let rows = models.prices().expect("read");
        assert!(rows.iter().all(|row| row.source.is_some() && !row.own));
        let unconfirmed = rows.iter().filter(|row| row.unconfirmed);
        assert!(
            unconfirmed.count() < 3,
            "what cannot be confirmed is the exception"
        );
        for model in [
            "azure/gpt-4o",
            "azure/gpt-4o-mini",
            "azure/gpt-5",
            "azure/DeepSeek-V3.1",
            "bedrock/global.anthropic.claude-haiku-4-5-20251001-v1:0",
            "bedrock/qwen.qwen3-next-80b-a3b",
            "bedrock/us.amazon.nova-lite-v1:0",
            "openrouter/z-ai/glm-4.6v",
            "vertex_ai/gemini-2.5-flash",
        ] {
            assert!(models.price(model).expect("read").is_some(), "{model}");
        }
    }

    #[test]
    fn a_copy_to_edit_never_replaces_one() {
        let folder = tempfile::tempdir().expect("a folder");
        let home = Home::resolve(Some(folder.path().join("new"))).expect("resolved");
        let models = api(home.path());
        let path = models.prices_copy().expect("written");
        assert_eq!(std::fs::read_to_string(&path).expect("read"), CARRIED);
        std::fs::write(&path, "mine").expect("written");
        models.prices_copy().expect("nothing to do");
        assert_eq!(std::fs::read_to_string(&path).expect("read"), "mine");
    }
}

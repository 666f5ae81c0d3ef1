//! Answers queries. Every filter gives a set of attempts, so that counts are exact.

use super::attempts::{self, AttemptFacts};
use super::bits::Bits;
use super::database::{refused, unreadable};
use super::excerpt::{self, Excerpt};
use super::places;
use super::text_match::TextMatch;
use crate::error::Result;
use crate::table::packed;
use koab_core::find::{Filter, NameField, NumberField, Query, Relation, TextField, TextRelation, fold};
use koab_core::score::MetricId;
use koab_core::sentence::Sentence;
use rusqlite::{Connection, OptionalExtension as _, params_from_iter};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;

/// Number of attempts with a common property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttemptCount {
    /// Name of the property's value, such as the model.
    pub name: String,
    /// Number of attempts.
    pub attempts: usize,
}

/// An attempt that matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FindHit {
    /// Id of the run.
    pub run: String,
    /// Model.
    pub model: String,
    /// Task id.
    pub task: String,
    /// Name of the level.
    pub level: String,
    /// Number of the repetition, from 1.
    pub repetition: u32,
    /// Word for the end of the attempt.
    pub status: String,
    /// Parts of the texts that match, at most one for each filter. If the query has no filter of
    /// texts, the beginning of the attempt's first text.
    pub excerpts: Vec<Excerpt>,
}

/// Identification of an attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FindKey {
    /// Id of the run.
    pub run: String,
    /// Task id.
    pub task: String,
    /// Number of the repetition, from 1.
    pub repetition: u32,
}

/// Attempts that match a query.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FindPage {
    /// Number of attempts that match.
    pub total: usize,
    /// Number of runs with attempts that match.
    pub runs: usize,
    /// Number of attempts in the index.
    pub searched: usize,
    /// Number of runs in the index.
    pub searched_runs: usize,
    /// Matching attempts of each model, the most first.
    pub models: Vec<AttemptCount>,
    /// Matching attempts of each level, in order of the names.
    pub levels: Vec<AttemptCount>,
    /// Matching attempts that called each tool, the most first.
    pub tools: Vec<AttemptCount>,
    /// Runs with parts that could not be read, each with the reasons.
    pub problems: Vec<(String, Vec<Sentence>)>,
    /// Hits of the page.
    pub hits: Vec<FindHit>,
}

/// Maximum number of texts whose attempts are looked up one by one. Reading all attempts in a row
/// is faster for more.
const MAX_LOOKUPS: usize = 4000;

/// A run of the index.
struct Run {
    name: String,
    problems: String,
    model: String,
    pack: Option<String>,
    first: usize,
    attempts: Vec<AttemptFacts>,
}

impl Run {
    fn ids(&self) -> Range<usize> {
        self.first..self.first + self.attempts.len()
    }

    fn with_ids(&self) -> impl Iterator<Item = (usize, &AttemptFacts)> {
        self.ids().zip(&self.attempts)
    }
}

/// Attempts that match a query.
pub(super) fn search(connection: &Connection, query: &Query, page: Range<usize>) -> Result<FindPage> {
    let answer = || -> rusqlite::Result<FindPage> {
        // One state of the index for all statements.
        let transaction = connection.unchecked_transaction()?;
        let search = Search::new(&transaction)?;
        let attempts = search.query(query)?;
        search.page(query, &attempts, page)
    };
    answer().map_err(refused)
}

/// All attempts of these runs that match a query.
pub(super) fn keys(connection: &Connection, query: &Query, runs: &[String]) -> Result<Vec<FindKey>> {
    let answer = || -> rusqlite::Result<Vec<FindKey>> {
        let transaction = connection.unchecked_transaction()?;
        let search = Search::new(&transaction)?;
        let attempts = search.query(query)?;
        Ok(search.keys(&attempts, runs))
    };
    answer().map_err(refused)
}

struct Search<'a> {
    connection: &'a Connection,
    /// Runs, the newest first.
    runs: Vec<Run>,
    /// Names by their ids.
    words: HashMap<u64, String>,
    size: usize,
}

impl<'a> Search<'a> {
    fn new(connection: &'a Connection) -> rusqlite::Result<Self> {
        let sql = "SELECT name, model, pack, first, facts, problems FROM run ORDER BY date DESC, name";
        let mut statement = connection.prepare(sql)?;
        let rows = statement.query_map([], |row| {
            let bytes = row.get_ref(4)?.as_blob()?;
            let attempts = attempts::read(bytes).map_err(unreadable)?;
            let first = row.get::<_, i64>(3)? as usize;
            let (name, model, pack, problems) = (row.get(0)?, row.get(1)?, row.get(2)?, row.get(5)?);
            Ok(Run { name, problems, model, pack, first, attempts })
        })?;
        let runs: Vec<Run> = rows.collect::<rusqlite::Result<_>>()?;
        let mut statement = connection.prepare("SELECT id, text FROM word")?;
        let words = statement.query_map([], |row| Ok((row.get::<_, i64>(0)? as u64, row.get(1)?)))?;
        let words = words.collect::<rusqlite::Result<_>>()?;
        let size = runs.iter().map(|run| run.ids().end).max().unwrap_or(0);
        Ok(Self { connection, runs, words, size })
    }

    /// Attempts that match a query.
    fn query(&self, query: &Query) -> rusqlite::Result<Bits> {
        match query {
            Query::All(parts) => {
                let mut all = self.attempts(|_, _| true);
                for part in parts {
                    if all.is_empty() {
                        break;
                    }
                    all.and(&self.query(part)?);
                }
                Ok(all)
            }
            Query::Any(parts) => {
                let mut any = Bits::none(self.size);
                for part in parts {
                    any.or(&self.query(part)?);
                }
                Ok(any)
            }
            Query::Not(part) => {
                let mut rest = self.attempts(|_, _| true);
                rest.without(&self.query(part)?);
                Ok(rest)
            }
            Query::Filter(filter) => self.filter(filter),
        }
    }

    fn filter(&self, filter: &Filter) -> rusqlite::Result<Bits> {
        match filter {
            Filter::Anywhere(value) => self.text(None, TextRelation::Contains, value),
            Filter::Text { field, relation, value } => self.text(Some(field), *relation, value),
            Filter::Name { field, relation, value } => Ok(self.name(*field, *relation, value)),
            Filter::Number { field, relation, value } => Ok(self.attempts(|_, attempt| {
                let number = match field {
                    NumberField::Repetition => Some(attempt.repetition as f64),
                    NumberField::Steps => Some(attempt.steps as f64),
                    NumberField::Calls => Some(attempt.calls as f64),
                    NumberField::Tokens => attempt.tokens.map(|tokens| tokens as f64),
                    NumberField::Seconds => attempt.seconds,
                };
                number.is_some_and(|number| relation.holds(number, *value))
            })),
            Filter::Score { metric, relation, value } => self.score(*metric, *relation, *value),
        }
    }

    /// Attempts that fulfil a condition on their facts.
    fn attempts(&self, is_meant: impl Fn(&Run, &AttemptFacts) -> bool) -> Bits {
        let mut bits = Bits::none(self.size);
        for run in &self.runs {
            for (id, attempt) in run.with_ids() {
                if is_meant(run, attempt) {
                    bits.add(id);
                }
            }
        }
        bits
    }

    fn name(&self, field: NameField, relation: TextRelation, value: &str) -> Bits {
        let value = fold(value);
        let is_meant = |name: &str| {
            let name = fold(name);
            match relation {
                TextRelation::Contains => name.contains(&value),
                TextRelation::Equals => name == value,
            }
        };
        let words = || -> HashSet<u64> {
            self.words.iter().filter(|(_, word)| is_meant(word)).map(|(id, _)| *id).collect()
        };
        let runs = |is_meant: &dyn Fn(&Run) -> bool| {
            let mut bits = Bits::none(self.size);
            let runs = self.runs.iter().filter(|run| is_meant(run));
            runs.flat_map(Run::ids).for_each(|id| bits.add(id));
            bits
        };
        match field {
            NameField::Tool => {
                let words = words();
                self.attempts(|_, attempt| attempt.tools.iter().any(|tool| words.contains(tool)))
            }
            NameField::Level => {
                let words = words();
                self.attempts(|_, attempt| words.contains(&attempt.level))
            }
            NameField::Task => {
                let words = words();
                self.attempts(|_, attempt| words.contains(&attempt.task))
            }
            NameField::Status => {
                let words = words();
                self.attempts(|_, attempt| words.contains(&attempt.status))
            }
            NameField::Run => runs(&|run: &Run| is_meant(&run.name)),
            // Users type models without the provider and packs without the version.
            NameField::Model => runs(&|run: &Run| {
                let short = run.model.split_once('/').map_or(run.model.as_str(), |(_, id)| id);
                is_meant(&run.model) || is_meant(short)
            }),
            NameField::Pack => runs(&|run: &Run| {
                let pack = run.pack.as_deref();
                pack.is_some_and(|pack| is_meant(pack) || is_meant(pack.split('@').next().unwrap_or(pack)))
            }),
        }
    }

    fn score(&self, metric: MetricId, relation: Relation, value: f64) -> rusqlite::Result<Bits> {
        let sign = relation.sign();
        let sql = format!("SELECT attempt FROM score WHERE metric = ?1 AND value {sign} ?2");
        let mut statement = self.connection.prepare(&sql)?;
        self.collect(statement.query((metric.name(), value))?)
    }

    /// Attempts with a text of the field, or of any field, that contains or equals the value.
    fn text(&self, field: Option<&TextField>, relation: TextRelation, value: &str) -> rusqlite::Result<Bits> {
        let (sql, value) = match TextMatch::new(relation, value) {
            TextMatch::Phrase(phrase) => ("SELECT rowid FROM gram WHERE gram MATCH ?1", Some(phrase)),
            TextMatch::Part(part) => ("SELECT rowid FROM part WHERE part MATCH ?1", Some(part)),
            TextMatch::All => ("SELECT id FROM text", None),
        };
        let mut statement = self.connection.prepare(sql)?;
        let texts = statement.query_map(params_from_iter(value), |row| Ok(row.get::<_, i64>(0)? as usize))?;
        let texts: Vec<usize> = texts.collect::<rusqlite::Result<_>>()?;
        let number = field.map(places::field_number);
        let names: Option<HashSet<u64>> = match field {
            Some(TextField::Argument(Some(name))) => {
                let name = fold(name);
                let words = self.words.iter().filter(|(_, word)| fold(word) == name);
                Some(words.map(|(id, _)| *id).collect())
            }
            _ => None,
        };
        let is_meant = |field: u64, name: u64| {
            number.is_none_or(|number| number == field)
                && names.as_ref().is_none_or(|names| names.contains(&name))
        };
        if texts.len() <= MAX_LOOKUPS {
            self.attempts_by_text(&texts, is_meant)
        } else {
            self.attempts_by_scan(&texts, is_meant)
        }
    }

    /// Attempts with one of these texts, which are few. Each has its places side by side.
    fn attempts_by_text(
        &self,
        texts: &[usize],
        is_meant: impl Fn(u64, u64) -> bool,
    ) -> rusqlite::Result<Bits> {
        let mut bits = Bits::none(self.size);
        let mut statement =
            self.connection.prepare("SELECT field, name, attempt FROM place WHERE text = ?1")?;
        for text in texts {
            let mut rows = statement.query([*text as i64])?;
            while let Some(row) = rows.next()? {
                if is_meant(row.get::<_, i64>(0)? as u64, row.get::<_, i64>(1)? as u64) {
                    bits.add(row.get::<_, i64>(2)? as usize);
                }
            }
        }
        Ok(bits)
    }

    /// Attempts with one of these many texts. All attempts are read in a row.
    fn attempts_by_scan(
        &self,
        texts: &[usize],
        is_meant: impl Fn(u64, u64) -> bool,
    ) -> rusqlite::Result<Bits> {
        let mut sought = Bits::none(texts.iter().max().map_or(0, |last| last + 1));
        texts.iter().for_each(|text| sought.add(*text));
        let mut bits = Bits::none(self.size);
        let mut statement = self.connection.prepare("SELECT id, places FROM attempt")?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let places = places::read(row.get_ref(1)?.as_blob()?).map_err(unreadable)?;
            if places.iter().any(|place| sought.has(place.text as usize) && is_meant(place.field, place.name))
            {
                bits.add(row.get::<_, i64>(0)? as usize);
            }
        }
        Ok(bits)
    }

    fn collect(&self, mut rows: rusqlite::Rows<'_>) -> rusqlite::Result<Bits> {
        let mut bits = Bits::none(self.size);
        while let Some(row) = rows.next()? {
            bits.add(row.get::<_, i64>(0)? as usize);
        }
        Ok(bits)
    }

    fn word(&self, id: u64) -> String {
        self.words.get(&id).cloned().unwrap_or_default()
    }

    /// Counts of the attempts that match, and the hits of one page.
    fn page(&self, query: &Query, found: &Bits, page: Range<usize>) -> rusqlite::Result<FindPage> {
        let mut answer = FindPage { searched_runs: self.runs.len(), ..FindPage::default() };
        let mut models: BTreeMap<&str, usize> = BTreeMap::new();
        let (mut levels, mut tools) = (HashMap::<u64, usize>::new(), HashMap::<u64, usize>::new());
        let mut on_page = Vec::new();
        for run in &self.runs {
            let before = answer.total;
            for (id, attempt) in run.with_ids().filter(|(id, _)| found.has(*id)) {
                *levels.entry(attempt.level).or_default() += 1;
                for tool in &attempt.tools {
                    *tools.entry(*tool).or_default() += 1;
                }
                if page.contains(&answer.total) {
                    on_page.push((run, id, attempt));
                }
                answer.total += 1;
            }
            answer.searched += run.attempts.len();
            let problems: Vec<Sentence> = serde_json::from_str(&run.problems).unwrap_or_default();
            if !problems.is_empty() {
                answer.problems.push((run.name.clone(), problems));
            }
            let attempts = answer.total - before;
            if attempts > 0 {
                answer.runs += 1;
                *models.entry(&run.model).or_default() += attempts;
            }
        }
        let with_names = |counts: HashMap<u64, usize>| -> Vec<AttemptCount> {
            let counts = counts.into_iter();
            counts.map(|(id, attempts)| AttemptCount { name: self.word(id), attempts }).collect()
        };
        let models =
            models.into_iter().map(|(name, attempts)| AttemptCount { name: name.to_owned(), attempts });
        answer.models = most_first(models.collect());
        answer.tools = most_first(with_names(tools));
        answer.levels = with_names(levels);
        answer.levels.sort_by(|a, b| a.name.cmp(&b.name));
        let filters = query.positive();
        for (run, id, attempt) in on_page {
            answer.hits.push(FindHit {
                run: run.name.clone(),
                model: run.model.clone(),
                task: self.word(attempt.task),
                level: self.word(attempt.level),
                repetition: attempt.repetition as u32,
                status: self.word(attempt.status),
                excerpts: excerpt::excerpts(&filters, &self.texts(id)?),
            });
        }
        Ok(answer)
    }

    fn keys(&self, attempts: &Bits, runs: &[String]) -> Vec<FindKey> {
        let runs = self.runs.iter().filter(|run| runs.contains(&run.name));
        let matches = runs.flat_map(|run| run.with_ids().map(move |(id, attempt)| (run, id, attempt)));
        matches
            .filter(|(_, id, _)| attempts.has(*id))
            .map(|(run, _, attempt)| FindKey {
                run: run.name.clone(),
                task: self.word(attempt.task),
                repetition: attempt.repetition as u32,
            })
            .collect()
    }

    /// All texts of an attempt, each with its field and number.
    fn texts(&self, attempt: usize) -> rusqlite::Result<Vec<(TextField, u32, String)>> {
        let sql = "SELECT places FROM attempt WHERE id = ?1";
        let bytes: Option<Vec<u8>> =
            self.connection.prepare_cached(sql)?.query_row([attempt as i64], |row| row.get(0)).optional()?;
        let mut statement = self.connection.prepare_cached("SELECT body FROM text WHERE id = ?1")?;
        let mut texts = Vec::new();
        for place in places::read(&bytes.unwrap_or_default()).unwrap_or_default() {
            let text = statement.query_row([place.text as i64], |row| {
                let text = packed::unpack_str(row.get_ref(0)?);
                Ok(text.map(std::borrow::Cow::into_owned).unwrap_or_default())
            });
            let field = places::field_of(place.field, || self.words.get(&place.name).cloned());
            texts.push((field, place.number as u32, text?));
        }
        Ok(texts)
    }
}

fn most_first(mut counts: Vec<AttemptCount>) -> Vec<AttemptCount> {
    counts.sort_by(|a, b| b.attempts.cmp(&a.attempts).then_with(|| a.name.cmp(&b.name)));
    counts
}

//! Cells of a sweep, which are all combinations of its values, in the order of its file.

use super::file::{NONE, SweepFile, SweepModel, parsed};
use super::text::named_address;
use koab_core::cache_key::sha256_hex;
use koab_core::level::Level;
use koab_core::pack::Pack;
use koab_core::pack_identity::{of_tools, tasks_sha256, tool_sha256};
use koab_core::run_record::{RequestedSettings, RunText, RunTexts};
use koab_core::say;
use koab_core::score::{MetricId, MetricSet, metrics_of};
use koab_library::RunRequest;
use koab_runs::DryRun;
use koab_workspace::WireError;
use serde_json::json;
use std::collections::BTreeMap;
use std::fmt::Display;

/// Prefix of the names of a sweep's runs.
pub(super) const NAME: &str = "sweep-";
/// Number of hex digits in the name of a sweep's run.
const DIGITS: usize = 16;
/// Reasoning efforts that a server accepts. The first value lets the model choose its effort.
const EFFORTS: [&str; 4] = ["default", "low", "medium", "high"];

/// A combination of a model and settings.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Cell {
    /// The model and the settings that differ between cells.
    pub(super) label: String,
    model: usize,
    pub(super) temperature: Option<f64>,
    pub(super) effort: Option<String>,
    pub(super) seed: Option<u64>,
    pub(super) texts: RunTexts,
}

/// Values of an axis; a single `None` if the file does not have the axis.
fn axis<T: Clone + PartialEq + Display>(
    values: Option<&Vec<T>>,
    name: &str,
    shown: &str,
) -> Result<Vec<Option<T>>, WireError> {
    let Some(values) = values else {
        return Ok(vec![None]);
    };
    if values.is_empty() {
        return Err(WireError::bad_request(say!(
            "{name} of {shown} has no value; give at least one, or leave it out"
        )));
    }
    let twice = (0..values.len()).find(|at| values[..*at].contains(&values[*at]));
    if let Some(at) = twice {
        return Err(WireError::bad_request(say!("{name} of {shown} has {} twice", values[at])));
    }
    Ok(values.iter().cloned().map(Some).collect())
}

/// Combines each cell with each value. Values of an axis with several values become part of the
/// label.
fn spread<T>(
    cells: Vec<Cell>,
    name: &str,
    values: &[Option<T>],
    set: impl Fn(&mut Cell, &T) -> String,
) -> Vec<Cell> {
    let with = |cell: &Cell| {
        let mut own = Vec::new();
        for value in values {
            let mut cell = cell.clone();
            if let Some(value) = value {
                let label = set(&mut cell, value);
                if values.len() > 1 {
                    cell.label.push_str(&format!(" {name}={label}"));
                }
            }
            own.push(cell);
        }
        own
    };
    cells.iter().flat_map(with).collect()
}

/// All cells of a sweep.
pub(super) fn cells(file: &SweepFile, shown: &str) -> Result<Vec<Cell>, WireError> {
    let settings = &file.settings;
    let ids: Vec<String> = file.models.iter().map(|model| model.id.clone()).collect();
    axis(Some(&ids), "models", shown)?;
    axis(file.packs.as_ref(), "packs", shown)?;
    let efforts = axis(settings.effort.as_ref(), "effort", shown)?;
    if let Some(other) = efforts.iter().flatten().find(|word| !EFFORTS.contains(&word.as_str())) {
        let names = EFFORTS.join(", ");
        return Err(WireError::bad_request(say!(
            "{shown} has the unknown effort {other}; the efforts are {known}",
            known = names
        )));
    }
    let temperatures = axis(settings.temperature.as_ref(), "temperature", shown)?;
    if temperatures.iter().flatten().any(|one| !(0.0..=2.0).contains(one)) {
        return Err(WireError::bad_request(say!("the temperature must be from 0 to 2")));
    }
    let seeds = axis(settings.seed.as_ref(), "seed", shown)?;
    let mut prompts = Vec::new();
    for name in axis(settings.system_prompt.as_ref(), "system_prompt", shown)? {
        prompts.push(name.map(|name| prompt(file, name)).transpose()?);
    }
    let mut tools = Vec::new();
    for name in axis(settings.tool_texts.as_ref(), "tool_texts", shown)? {
        tools.push(name.map(|name| tool_texts(file, name)).transpose()?);
    }
    check_apart(&prompts)?;
    check_apart(&tools)?;
    let cells = file.models.iter().enumerate().map(|(model, of)| Cell {
        label: of.id.clone(),
        model,
        temperature: None,
        effort: None,
        seed: None,
        texts: RunTexts::default(),
    });
    let cells = spread(cells.collect(), "temperature", &temperatures, |cell, value| {
        cell.temperature = Some(*value);
        value.to_string()
    });
    let cells = spread(cells, "effort", &efforts, |cell, word| {
        cell.effort = Some(word.clone()).filter(|word| word != EFFORTS[0]);
        word.clone()
    });
    let cells = spread(cells, "seed", &seeds, |cell, seed| {
        cell.seed = Some(*seed);
        seed.to_string()
    });
    let cells = spread(cells, "system_prompt", &prompts, |cell, (name, text)| {
        cell.texts.system_prompt.clone_from(text);
        name.clone()
    });
    Ok(spread(cells, "tool_texts", &tools, |cell, (name, text)| {
        cell.texts.tools.clone_from(text);
        name.clone()
    }))
}

/// Name of a file with its text. The value `none` has no text.
type Named<T> = (String, Option<RunText<T>>);

/// Refuses two files of one axis with the same text, because their cells would be the same run.
fn check_apart<T: PartialEq>(values: &[Option<Named<T>>]) -> Result<(), WireError> {
    let files: Vec<&RunText<T>> = values.iter().flatten().filter_map(|(_, text)| text.as_ref()).collect();
    for (at, file) in files.iter().enumerate() {
        if let Some(other) = files[..at].iter().find(|other| other.text == file.text) {
            let (one, other) = (&other.file, &file.file);
            return Err(WireError::bad_request(say!(
                "{one} and {other} say the same; leave one of them out"
            )));
        }
    }
    Ok(())
}

fn prompt(file: &SweepFile, name: String) -> Result<Named<String>, WireError> {
    if name == NONE {
        return Ok((name, None));
    }
    let (_, text) = file.beside(&name)?;
    let read = RunText::new(&name, &text, text.trim_end().to_owned());
    Ok((name, Some(read)))
}

fn tool_texts(file: &SweepFile, name: String) -> Result<Named<BTreeMap<String, String>>, WireError> {
    if name == NONE {
        return Ok((name, None));
    }
    let (path, text) = file.beside(&name)?;
    let read = RunText::new(&name, &text, parsed(&path, &text)?);
    Ok((name, Some(read)))
}

/// Refuses descriptions of tools that the pack does not have. Also refuses texts for a pack whose
/// items have texts of their own.
pub(super) fn check_texts(cells: &[Cell], pack: &Pack) -> Result<(), WireError> {
    if pack.kind.is_request() && cells.iter().any(|cell| !cell.texts.is_empty()) {
        let pack = pack.label();
        return Err(WireError::bad_request(say!(
            "each request of pack {pack} has texts of its own; leave system_prompt and tool_texts out, or the pack"
        )));
    }
    for texts in cells.iter().filter_map(|cell| cell.texts.tools.as_ref()) {
        let is_there = |name: &str| {
            pack.tools.iter().any(|tool| match name.strip_prefix(tool.name.as_str()) {
                Some("") => true,
                Some(rest) => {
                    let argument = rest.strip_prefix('.');
                    tool.properties().any(|(name, _)| Some(name.as_str()) == argument)
                }
                None => false,
            })
        };
        if let Some(name) = texts.text.keys().find(|name| !is_there(name)) {
            return Err(WireError::bad_request(say!(
                "{} describes {name}, which pack {} does not have",
                texts.file,
                pack.label()
            )));
        }
    }
    Ok(())
}

/// Refuses a metric that none of the chosen levels has, because the sweep would then cost money
/// without measuring anything.
pub(super) fn check_metric(metric: MetricId, chosen: &DryRun) -> Result<(), WireError> {
    let has = |level: &Level| metrics_of(level, MetricSet::Head).any(|known| known.id == metric);
    if chosen.levels.iter().any(|of| has(&of.level)) {
        return Ok(());
    }
    let (pack, metric) = (&chosen.pack, metric.name());
    Err(WireError::bad_request(say!(
        "no chosen task of pack {pack} has {metric}; take another metric, or levels that have it"
    )))
}

/// Text that identifies the content of a pack. A pack that is imported again under the same name
/// and version may have other tasks or responses.
pub(super) fn content(pack: &Pack, records_sha256: &str) -> String {
    let tools = pack.tools.iter().map(|tool| (tool.name.clone(), tool_sha256(tool)));
    let hashes = [tasks_sha256(&pack.tasks), of_tools(&tools.collect())];
    format!("{} {} {records_sha256}", pack.label(), hashes.join(" "))
}

/// Position of the cell that the file names as the baseline.
pub(super) fn baseline(file: &SweepFile, cells: &[Cell], shown: &str) -> Result<usize, WireError> {
    let choice = &file.baseline;
    let settings = &file.settings;
    let effort = |word: &String| Some(word.clone()).filter(|word| word != EFFORTS[0]);
    let mut places: Vec<usize> = (0..cells.len()).collect();
    let mut narrow = |name: &str, value: Option<String>, count: usize, is: &dyn Fn(&Cell) -> bool| {
        let Some(value) = value else {
            if count > 1 {
                return Err(WireError::bad_request(say!(
                    "the baseline of {shown} does not say which {name}; name one of its values under [baseline]"
                )));
            }
            return Ok(());
        };
        places.retain(|at| is(&cells[*at]));
        if places.is_empty() {
            return Err(WireError::bad_request(say!(
                "the baseline of {shown} is not a cell of the sweep: {name} {value} is not among the values"
            )));
        }
        Ok(())
    };
    let count = |count: Option<usize>| count.unwrap_or(1);
    narrow("model", choice.model.clone(), file.models.len(), &|cell| {
        Some(&file.models[cell.model].id) == choice.model.as_ref()
    })?;
    let temperatures = count(settings.temperature.as_ref().map(Vec::len));
    narrow("temperature", choice.temperature.map(|one| one.to_string()), temperatures, &|cell| {
        cell.temperature == choice.temperature
    })?;
    let efforts = count(settings.effort.as_ref().map(Vec::len));
    narrow("effort", choice.effort.clone(), efforts, &|cell| {
        cell.effort == choice.effort.as_ref().and_then(effort)
    })?;
    let seeds = count(settings.seed.as_ref().map(Vec::len));
    narrow("seed", choice.seed.map(|one| one.to_string()), seeds, &|cell| cell.seed == choice.seed)?;
    let file_of = |name: Option<&String>| name.filter(|name| *name != NONE).cloned();
    let prompts = count(settings.system_prompt.as_ref().map(Vec::len));
    narrow("system_prompt", choice.system_prompt.clone(), prompts, &|cell| {
        cell.prompt() == file_of(choice.system_prompt.as_ref())
    })?;
    let tools = count(settings.tool_texts.as_ref().map(Vec::len));
    narrow("tool_texts", choice.tool_texts.clone(), tools, &|cell| {
        cell.tools() == file_of(choice.tool_texts.as_ref())
    })?;
    Ok(places[0])
}

impl Cell {
    /// File of the system prompt.
    pub(super) fn prompt(&self) -> Option<String> {
        self.texts.system_prompt.as_ref().map(|text| text.file.clone())
    }

    /// File of the tool descriptions.
    pub(super) fn tools(&self) -> Option<String> {
        self.texts.tools.as_ref().map(|text| text.file.clone())
    }

    pub(super) fn model<'a>(&self, file: &'a SweepFile) -> &'a SweepModel {
        &file.models[self.model]
    }

    /// Run request of the cell on a pack, without the name of the run.
    pub(super) fn request(&self, file: &SweepFile, pack: Option<String>) -> Result<RunRequest, WireError> {
        let model = self.model(file);
        let shared = file.request(&model.id)?;
        Ok(RunRequest {
            pack,
            base_url: model.base_url.clone(),
            settings: RequestedSettings {
                temperature: self.temperature,
                effort: self.effort.clone(),
                seed: self.seed,
                ..shared.settings
            },
            texts: Some(self.texts.clone()).filter(|texts| !texts.is_empty()),
            ..shared
        })
    }

    /// Name that identifies the cell's run on a pack. The name is a hash of everything that affects
    /// the results, including the pack's `content` and the model's address. Caps are not included.
    pub(super) fn run_name(&self, file: &SweepFile, request: &RunRequest, content: &str) -> String {
        let decides = json!([
            file.name,
            content,
            request.model,
            request.base_url.as_deref().map(named_address),
            request.levels,
            request.tasks,
            request.settings.protocol,
            request.settings.repetitions,
            request.settings.max_steps,
            request.settings.timeout_s,
            request.settings.max_tokens,
            request.settings.temperature,
            request.settings.effort,
            request.settings.seed,
            self.texts.system_prompt.as_ref().map(|text| &text.sha256),
            self.texts.tools.as_ref().map(|text| &text.sha256),
        ]);
        format!("{NAME}{}", &sha256_hex(&decides.to_string())[..DIGITS])
    }
}

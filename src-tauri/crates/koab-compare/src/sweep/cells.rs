//! The cells of a sweep: every combination of its values, in the order of its file.

use super::file::{SweepFile, SweepModel};
use koab_core::cache_key::sha256_hex;
use koab_core::say;
use koab_runs::{RunRequest, WireError};
use serde_json::json;
use std::fmt::Display;

/// What the names of a sweep's runs begin with.
pub(super) const NAME: &str = "sweep-";
/// Digits of such a name.
const DIGITS: usize = 16;
/// Efforts that a server can be told; the first leaves it to the model.
const EFFORTS: [&str; 4] = ["default", "low", "medium", "high"];

/// One choice of model and settings.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Cell {
    /// The model and the settings that differ between cells.
    pub(super) label: String,
    model: usize,
    pub(super) temperature: f64,
    pub(super) effort: Option<String>,
    pub(super) seed: Option<u64>,
}

/// The values of an axis; without one a single empty value.
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
        return Err(WireError::bad_request(say!(
            "{name} of {shown} has {} twice",
            values[at]
        )));
    }
    Ok(values.iter().cloned().map(Some).collect())
}

/// All cells.
pub(super) fn cells(file: &SweepFile, shown: &str) -> Result<Vec<Cell>, WireError> {
    let settings = &file.settings;
    let ids: Vec<String> = file.models.iter().map(|model| model.id.clone()).collect();
    axis(Some(&ids), "models", shown)?;
    axis(file.packs.as_ref(), "packs", shown)?;
    let temperatures = axis(settings.temperature.as_ref(), "temperature", shown)?;
    let efforts = axis(settings.effort.as_ref(), "effort", shown)?;
    let seeds = axis(settings.seed.as_ref(), "seed", shown)?;
    if let Some(other) = efforts
        .iter()
        .flatten()
        .find(|word| !EFFORTS.contains(&word.as_str()))
    {
        let known = EFFORTS.join(", ");
        return Err(WireError::bad_request(say!(
            "{shown} has the effort {other}, and there are {known}"
        )));
    }
    let usual = RunRequest::published("", "").temperature;
    let mut cells = Vec::new();
    for (model, SweepModel { id, .. }) in file.models.iter().enumerate() {
        for temperature in &temperatures {
            for effort in &efforts {
                for seed in &seeds {
                    let mut label = id.clone();
                    for (name, value, values) in [
                        (
                            "temperature",
                            temperature.map(|one| one.to_string()),
                            temperatures.len(),
                        ),
                        ("effort", effort.clone(), efforts.len()),
                        ("seed", seed.map(|one| one.to_string()), seeds.len()),
                    ] {
                        if let Some(value) = value.filter(|_| values > 1) {
                            label.push_str(&format!(" {name}={value}"));
                        }
                    }
                    cells.push(Cell {
                        label,
                        model,
                        temperature: temperature.unwrap_or(usual),
                        effort: effort.clone().filter(|word| word != EFFORTS[0]),
                        seed: *seed,
                    });
                }
            }
        }
    }
    Ok(cells)
}

/// Place of the cell that the file calls the baseline.
pub(super) fn baseline(file: &SweepFile, cells: &[Cell], shown: &str) -> Result<usize, WireError> {
    let named = &file.baseline;
    let settings = &file.settings;
    let effort = |word: &String| Some(word.clone()).filter(|word| word != EFFORTS[0]);
    let mut left: Vec<usize> = (0..cells.len()).collect();
    let mut narrow = |name: &str, value: Option<String>, count: usize, is: &dyn Fn(&Cell) -> bool| {
        let Some(value) = value else {
            if count > 1 {
                return Err(WireError::bad_request(say!(
                    "the baseline of {shown} does not say which {name}; name one of its values under [baseline]"
                )));
            }
            return Ok(());
        };
        left.retain(|at| is(&cells[*at]));
        if left.is_empty() {
            return Err(WireError::bad_request(say!(
                "the baseline of {shown} is no cell of it: {name} {value} is not among the values"
            )));
        }
        Ok(())
    };
    let count = |count: Option<usize>| count.unwrap_or(1);
    narrow("model", named.model.clone(), file.models.len(), &|cell| {
        Some(&file.models[cell.model].id) == named.model.as_ref()
    })?;
    let temperatures = count(settings.temperature.as_ref().map(Vec::len));
    narrow(
        "temperature",
        named.temperature.map(|one| one.to_string()),
        temperatures,
        &|cell| Some(cell.temperature) == named.temperature,
    )?;
    let efforts = count(settings.effort.as_ref().map(Vec::len));
    narrow("effort", named.effort.clone(), efforts, &|cell| {
        cell.effort == named.effort.as_ref().and_then(effort)
    })?;
    let seeds = count(settings.seed.as_ref().map(Vec::len));
    narrow("seed", named.seed.map(|one| one.to_string()), seeds, &|cell| {
        cell.seed == named.seed
    })?;
    Ok(left[0])
}

impl Cell {
    pub(super) fn model<'a>(&self, file: &'a SweepFile) -> &'a SweepModel {
        &file.models[self.model]
    }

    /// Its run on a pack; without the run's name.
    pub(super) fn request(&self, file: &SweepFile, pack: Option<String>) -> Result<RunRequest, WireError> {
        let model = self.model(file);
        Ok(RunRequest {
            pack,
            base_url: model.base_url.clone(),
            temperature: self.temperature,
            effort: self.effort.clone(),
            seed: self.seed,
            ..file.request(&model.id)?
        })
    }

    /// The name by which its run on a pack is found again: made of all that decides what it does, but not of where it is made or
    /// what it may cost.
    pub(super) fn run_name(&self, file: &SweepFile, request: &RunRequest, pack: &str) -> String {
        let decides = json!([
            file.name,
            pack,
            request.model,
            request.levels,
            request.tasks,
            request.protocol,
            request.repetitions,
            request.max_steps,
            request.timeout_s,
            request.max_tokens,
            request.temperature,
            request.effort,
            request.seed,
        ]);
        format!("{NAME}{}", &sha256_hex(&decides.to_string())[..DIGITS])
    }
}

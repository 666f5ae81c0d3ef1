//! Assignment of reports to models and packs.

use super::super::ReportWithRun;
use super::view::{AcrossModel, AcrossReport};
use koab_core::say;
use koab_report::Report;
use koab_report::comparability::Facts;
use koab_workspace::WireError;
use std::collections::BTreeSet;

/// A report of one model on one pack, with the facts about its run.
pub(super) struct Side<'a> {
    pub(super) read: &'a ReportWithRun,
    pub(super) facts: Facts,
}

impl Side<'_> {
    pub(super) fn report(&self) -> &Report {
        self.read.report()
    }

    pub(super) fn id(&self) -> &str {
        &self.read.open.folder.id
    }

    /// Tasks of the report by group and id.
    fn tasks(&self) -> BTreeSet<(String, &str)> {
        let levels = self.report().levels.iter();
        let of_level = levels.flat_map(|level| {
            let group = level.level.to_string();
            level.tasks.iter().map(move |task| (group.clone(), task.id.as_str()))
        });
        of_level.collect()
    }
}

/// Reports by model and pack.
pub(super) struct Sides<'a> {
    /// Labels of the packs in the order of their first reports.
    pub(super) packs: Vec<String>,
    /// The models. Each has a report or `None` for each pack.
    pub(super) models: Vec<(String, Vec<Option<Side<'a>>>)>,
}

impl<'a> Sides<'a> {
    /// Assigns reports to models and packs.
    ///
    /// # Errors
    /// When a report has no single tasks, a model has two reports of a pack, or all reports of a
    /// pack are of one model.
    pub(super) fn new(read: &'a [ReportWithRun], facts: Vec<Facts>) -> Result<Self, WireError> {
        let sides: Vec<Side<'a>> = read.iter().zip(facts).map(|(read, facts)| Side { read, facts }).collect();
        if let Some(side) = sides.iter().find(|side| side.tasks().is_empty()) {
            return Err(WireError::bad_request(say!(
                "{id} has no scores of single tasks, which a comparison over several packs needs; leave it out",
                id = side.id()
            )));
        }
        let (packs, of_pack) = packs(&sides);
        let mut models: Vec<(String, Vec<Option<Side<'a>>>)> = Vec::new();
        for (side, pack) in sides.into_iter().zip(of_pack) {
            let model = match side.read.model.as_str() {
                "" => side.id().to_owned(),
                model => model.to_owned(),
            };
            let at = models.iter().position(|(of, _)| *of == model).unwrap_or_else(|| {
                models.push((model.clone(), packs.iter().map(|_| None).collect()));
                models.len() - 1
            });
            let place = &mut models[at].1[pack];
            if let Some(other) = place {
                return Err(WireError::bad_request(say!(
                    "{model} has two reports of the pack {pack}: {first} and {second}; name one of them",
                    pack = packs[pack],
                    first = other.id(),
                    second = side.id()
                )));
            }
            *place = Some(side);
        }
        if let [(model, _)] = &models[..] {
            return Err(WireError::bad_request(say!(
                "all these reports are of the model {model}; name reports of another one as well"
            )));
        }
        for (at, pack) in packs.iter().enumerate() {
            let mut of = models.iter().filter(|(_, sides)| sides[at].is_some());
            if let (Some((model, _)), None) = (of.next(), of.next()) {
                return Err(WireError::bad_request(say!(
                    "only {model} has a report of the pack {pack}; leave it out, or name another model's report of that pack"
                )));
            }
        }
        Ok(Self { packs, models })
    }

    /// The models with their reports.
    pub(super) fn models(&self) -> Vec<AcrossModel> {
        let of_model = |(model, sides): &(String, Vec<Option<Side<'a>>>)| AcrossModel {
            model: model.clone(),
            reports: self
                .packs
                .iter()
                .zip(sides)
                .filter_map(|(pack, side)| {
                    Some(AcrossReport { pack: pack.clone(), id: side.as_ref()?.id().to_owned() })
                })
                .collect(),
        };
        self.models.iter().map(of_model).collect()
    }
}

/// Labels of the packs, and the position of the pack of each report.
///
/// Two reports belong to the same pack if the hash of its tasks is the same, or otherwise if its
/// name and version are the same. A report from another tool has neither. It is assigned to the
/// pack of the report with which it shares the most tasks, at least half of its own tasks.
fn packs(sides: &[Side<'_>]) -> (Vec<String>, Vec<usize>) {
    let mut labels: Vec<String> = Vec::new();
    let mut hashes: Vec<BTreeSet<&str>> = Vec::new();
    let mut of_pack: Vec<Option<usize>> = vec![None; sides.len()];
    // Reports that name their pack come first, so that the others can be matched with them.
    for (side, place) in sides.iter().zip(&mut of_pack) {
        let Some(name) = &side.facts.pack.value else {
            continue;
        };
        let hash = side.facts.tasks_sha256.value.as_deref().filter(|hash| !hash.is_empty());
        let label = name.label();
        let position = (0..labels.len())
            .find(|at| hash.is_some_and(|hash| hashes[*at].contains(hash)) || labels[*at] == label);
        let at = position.unwrap_or_else(|| {
            labels.push(label);
            hashes.push(BTreeSet::new());
            labels.len() - 1
        });
        hashes[at].extend(hash);
        *place = Some(at);
    }
    let tasks: Vec<BTreeSet<(String, &str)>> = sides.iter().map(Side::tasks).collect();
    for one in 0..sides.len() {
        if of_pack[one].is_some() {
            continue;
        }
        let shared = |other: &usize| tasks[one].intersection(&tasks[*other]).count();
        let candidates = (0..sides.len()).filter(|other| of_pack[*other].is_some());
        let nearest = candidates.max_by_key(|other| (shared(other), usize::MAX - other));
        let nearest = nearest.filter(|other| 2 * shared(other) >= tasks[one].len().max(1));
        of_pack[one] = nearest.and_then(|other| of_pack[other]).or_else(|| {
            let mut label = unnamed(&tasks[one]);
            if labels.contains(&label) {
                label = format!("{label}, {}", sides[one].id());
            }
            labels.push(label);
            Some(labels.len() - 1)
        });
    }
    in_order(labels, of_pack.into_iter().flatten().collect())
}

/// Label of a pack that no report names, formed from its groups and the number of its tasks, such
/// as `L1–L7 (91)`.
fn unnamed(tasks: &BTreeSet<(String, &str)>) -> String {
    let groups = tasks.first().zip(tasks.last()).map(|(first, last)| {
        let (first, last) = (&first.0, &last.0);
        if first == last { first.clone() } else { format!("{first}–{last}") }
    });
    format!("{} ({})", groups.unwrap_or_default(), tasks.len())
}

/// Sorts the packs by their first reports.
fn in_order(labels: Vec<String>, of_pack: Vec<usize>) -> (Vec<String>, Vec<usize>) {
    let mut order: Vec<usize> = Vec::new();
    for at in &of_pack {
        if !order.contains(at) {
            order.push(*at);
        }
    }
    let place = |at: &usize| order.iter().position(|one| one == at).unwrap_or(0);
    let places = of_pack.iter().map(place).collect();
    let labels = order.iter().map(|at| labels[*at].clone()).collect();
    (labels, places)
}

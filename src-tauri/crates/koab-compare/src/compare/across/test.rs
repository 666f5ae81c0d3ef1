//! Tests two models over the packs that have reports of both.

use super::super::pair::{forbidding, judged_otherwise};
use super::sides::{Side, Sides};
use super::view::{AcrossLeftOut, AcrossPair, AcrossPairPack};
use koab_analysis::across::{AcrossItem, AcrossOptions, Part, across};
use koab_analysis::paired::PairVerdict;
use koab_core::score::MetricId;
use koab_core::sentence::{Sentence, ToSentence};
use koab_core::{say, text};
use koab_report::comparability::between;
use std::collections::BTreeMap;

impl Sides<'_> {
    /// Tests the second model against the first, over the packs that have reports of both. The
    /// models are indexes into the list of models.
    pub(super) fn test(&self, first: usize, second: usize, options: &AcrossOptions) -> AcrossPair {
        let models = [&self.models[first], &self.models[second]];
        let (mut items, mut packs, mut left_out) = (Vec::new(), Vec::new(), Vec::new());
        for (at, pack) in self.packs.iter().enumerate() {
            let sides = match (&models[0].1[at], &models[1].1[at]) {
                (Some(one), Some(other)) => Ok([one, other]),
                (None, None) => continue,
                (None, _) => Err(models[0]),
                (_, None) => Err(models[1]),
            };
            let result = sides
                .map_err(|(model, _)| say!("{model} has no report of this pack"))
                .and_then(|sides| of_pack(pack, sides));
            match result {
                Ok((pack_items, pair_pack)) => {
                    items.extend(pack_items);
                    packs.push(pair_pack);
                }
                Err(reason) => left_out.push(AcrossLeftOut { pack: pack.clone(), reason }),
            }
        }
        let result = across(&items, options);
        if let Err(refusal) = &result {
            // The common items are too few for a test.
            left_out.extend(packs.drain(..).map(|pair_pack: AcrossPairPack| AcrossLeftOut {
                pack: pair_pack.pack,
                reason: refusal.to_sentence(),
            }));
        }
        AcrossPair {
            first: models[0].0.clone(),
            second: models[1].0.clone(),
            packs,
            left_out,
            across: result.ok(),
            holm: None,
            verdict: PairVerdict::Untested,
        }
    }

    /// Number of items and discordance (mean square of the items' differences) of two models for
    /// each pack. A pack on which the models are not compared has no items.
    pub(super) fn parts(&self, first: usize, second: usize) -> Vec<Part> {
        let of_pack = |(at, pack): (usize, &String)| {
            let sides = [&self.models[first].1[at], &self.models[second].1[at]];
            let items = match sides {
                [Some(one), Some(other)] => of_pack(pack, [one, other]).map(|(items, _)| items),
                _ => Ok(Vec::new()),
            };
            let items = items.unwrap_or_default();
            let square = |item: &AcrossItem| (item.second - item.first).powi(2);
            Part {
                weight: 0.0,
                items: items.len(),
                discordance: items.iter().map(square).sum::<f64>() / items.len().max(1) as f64,
            }
        };
        self.packs.iter().enumerate().map(of_pack).collect()
    }
}

/// Verdict on a combined difference.
pub(super) fn verdict(difference: f64, p: Option<f64>, alpha: f64) -> PairVerdict {
    match p {
        None => PairVerdict::Untested,
        Some(p) if p < alpha && difference > 0.0 => PairVerdict::Second,
        Some(p) if p < alpha => PairVerdict::First,
        Some(_) => PairVerdict::NotSeparated,
    }
}

/// Tasks of a pack that have a score in both reports, and the comparability of the reports.
fn of_pack(pack: &str, sides: [&Side<'_>; 2]) -> Result<(Vec<AcrossItem>, AcrossPairPack), Sentence> {
    let judgement = between(&sides[0].facts, &sides[1].facts);
    if let Some(finding) = forbidding(&judgement).into_iter().next() {
        return Err(finding.reason);
    }
    if let Some(reason) = judged_otherwise(&sides[0].facts, &sides[1].facts) {
        return Err(reason);
    }
    let [first, second] = sides.map(scores);
    let mut items = Vec::new();
    for (key, one) in &first {
        if let (Some(one), Some(Some(other))) = (one, second.get(key)) {
            items.push(AcrossItem {
                benchmark: pack.to_owned(),
                group: key.0.clone(),
                first: *one,
                second: *other,
            });
        }
    }
    if items.is_empty() {
        return Err(text!("the two have no task with a success rate (SR) in common").into());
    }
    let all = first.len() + second.keys().filter(|key| !first.contains_key(*key)).count();
    let pair_pack = AcrossPairPack {
        pack: pack.to_owned(),
        grade: judgement.grade,
        findings: judgement.findings,
        items: items.len() as u32,
        left_out: (all - items.len()) as u32,
    };
    Ok((items, pair_pack))
}

/// Success rate of each task, by group and id.
fn scores<'a>(side: &'a Side<'_>) -> BTreeMap<(String, &'a str), Option<f64>> {
    let levels = side.report().levels.iter();
    let of_level = levels.flat_map(|level| {
        let group = level.level.to_string();
        let of_task = move |task: &'a koab_report::TaskReport| {
            ((group.clone(), task.id.as_str()), task.value(MetricId::Sr))
        };
        level.tasks.iter().map(of_task)
    });
    of_level.collect()
}

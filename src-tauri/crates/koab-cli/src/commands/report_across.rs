//! Implements `koab report compare --across`.

use crate::output::{Columns, or_dash};
use crate::render::comparability::{findings, grade};
use koab_api::shown;
use koab_api::{
    Across, AcrossCombined, AcrossPair, AcrossPairPack, AcrossPower, AcrossStratum, AcrossView,
    AcrossWeights, Grade, PairVerdict,
};
use koab_core::sentence::Language;
use koab_core::{say, text};

/// Compares the first model with each of the others, and shows the smallest differences that these
/// packs can detect.
pub(crate) fn text(view: &AcrossView, lang: Language) -> String {
    let mut text = String::new();
    for model in &view.models {
        text.push_str(&format!("{}\n", model.model));
        for report in &model.reports {
            text.push_str(&format!("  {}: {}\n", report.pack, report.id));
        }
    }
    for pair in &view.pairs {
        text.push_str(&self::pair(pair, &view.pairs, lang));
    }
    text + &caveats(&view.pairs, lang) + &power(view, lang)
}

fn pair(pair: &AcrossPair, all: &[AcrossPair], lang: Language) -> String {
    let verdict = match pair.verdict {
        PairVerdict::First => lang.text(text!("the first is better")),
        PairVerdict::Second => lang.text(text!("the second is better")),
        PairVerdict::NotSeparated => lang.text(text!("no significant difference")),
        PairVerdict::Untested => lang.text(text!("not tested")),
    };
    let (first, second) = (&pair.first, &pair.second);
    let mut text = format!("\n{first} → {second}: {verdict}\n");
    if let Some(across) = &pair.across {
        text.push_str(&format!("{}\n", lang.say(&across.sentence)));
        let pairs = all.len();
        if let Some(holm) = pair.holm.filter(|_| pairs > 1) {
            let (p, holm) = (shown::p_value(Some(across.combined.p)), shown::p_value(Some(holm)));
            text.push_str(
                &lang.say(&say!("p {p}, {holm} after Holm's correction over {pairs} pairs of models\n")),
            );
        }
        let tested = all.iter().filter_map(|pair| pair.across.as_ref());
        let groups = tested.map(|across| across.strata.len()).sum();
        text.push_str(&strata(across, groups, lang));
    }
    for pack in &pair.packs {
        if pack.left_out > 0 {
            text.push_str(&lang.say(&say!(
                "{pack}: {left_out} tasks without a score on both sides are left out\n",
                pack = pack.pack,
                left_out = pack.left_out
            )));
        }
    }
    for left_out in &pair.left_out {
        text.push_str(&lang.say(&say!(
            "{pack} is left out: {reason}\n",
            pack = left_out.pack,
            reason = left_out.reason
        )));
    }
    text
}

/// Caveats of comparing the reports of each pack. If several pairs have equal findings, the
/// findings are shown once.
fn caveats(pairs: &[AcrossPair], lang: Language) -> String {
    let packs = pairs.iter().flat_map(|pair| &pair.packs);
    let mut packs_with_caveats: Vec<&AcrossPairPack> = Vec::new();
    for pack in packs.filter(|pack| pack.grade != Grade::Comparable) {
        let is_same = |one: &&AcrossPairPack| one.pack == pack.pack && one.findings == pack.findings;
        if !packs_with_caveats.iter().any(is_same) {
            packs_with_caveats.push(pack);
        }
    }
    let caveat = |pack: &AcrossPairPack| {
        let title = grade(pack.grade, lang);
        format!("\n{}: {title}\n{}", pack.pack, findings(&pack.findings, lang))
    };
    packs_with_caveats.into_iter().map(caveat).collect()
}

/// Row of the table: a group, a pack, or all packs combined.
struct Line<'a> {
    name: String,
    items: usize,
    weight: f64,
    difference: f64,
    interval: [f64; 2],
    p: f64,
    stratum: Option<&'a AcrossStratum>,
}

impl<'a> Line<'a> {
    fn group(one: &'a AcrossStratum) -> Self {
        Self {
            name: format!("  {}", one.group),
            items: one.items,
            weight: one.weight,
            difference: one.difference,
            interval: one.interval,
            p: one.p,
            stratum: Some(one),
        }
    }

    fn whole(name: &str, items: usize, weight: f64, combined: &AcrossCombined) -> Self {
        Self {
            name: name.to_owned(),
            items,
            weight,
            difference: combined.difference,
            interval: combined.interval,
            p: combined.p,
            stratum: None,
        }
    }
}

/// Table of the differences between two models. `groups` is the number of tests, over all pairs,
/// that Holm's correction accounts for.
fn strata(across: &Across, groups: usize, lang: Language) -> String {
    let mut lines = Vec::new();
    for pack in &across.benchmarks {
        let groups = || across.strata.iter().filter(|one| one.benchmark == pack.benchmark);
        let weight = groups().map(|one| one.weight).sum();
        lines.push(Line::whole(&pack.benchmark, pack.items, weight, &pack.combined));
        lines.extend(groups().map(Line::group));
    }
    let items = across.strata.iter().map(|one| one.items).sum();
    let combined = lang.text(text!("combined"));
    lines.push(Line::whole(combined, items, 1.0, &across.combined));
    let table = Columns::new(&lines, lang)
        .id(text!("pack, group"), |line| &line.name)
        .column(text!("tasks"), |line| line.items)
        .column(text!("weight"), |line| shown::percent(line.weight, 1))
        .column(text!("difference"), |line| shown::difference(Some(line.difference)))
        .column(text!("95 % interval"), |line| {
            let [low, high] = line.interval;
            shown::ends_of_difference(low, high)
        })
        .column("p", |line| shown::p_value(Some(line.p)))
        .column(text!("Holm p"), |line| or_dash(line.stratum.map(|one| shown::p_value(Some(one.holm)))))
        .spare([2, 5]);
    let note = lang.say(&say!(
        "difference of success rates (SR) = second − first; Holm's correction over the {of} groups of all pairs\n",
        of = groups
    ));
    format!("{}{note}", table.text())
}

/// Smallest differences that these packs can detect; empty if no pair shares a pack.
fn power(view: &AcrossView, lang: Language) -> String {
    if view.seen.item.is_none() {
        return String::new();
    }
    let title = lang.say(&say!(
        "\nThe smallest difference that these tasks can be expected to find (power {power} at {alpha}, two-sided)\n",
        power = view.power,
        alpha = view.alpha
    ));
    let percent = |difference: Option<f64>| or_dash(difference.map(|share| shown::percent(share, 1)));
    let rows: Vec<&AcrossPower> = std::iter::once(&view.seen).chain(&view.assumed).collect();
    let table = Columns::new(rows.clone(), lang)
        .column(text!("tasks that only one of the two solves"), |row| match row.discordance {
            None => lang.text(text!("as seen, mean of all pairs")).to_owned(),
            Some(share) => lang.say(&say!("assumption: {share}", share = shown::percent(share, 0))),
        })
        .column(text!("each task counts the same"), |row| percent(row.item))
        .column(text!("each pack counts the same"), |row| percent(row.benchmark));
    let weights = match view.weights {
        AcrossWeights::Item => lang.text(text!("each item counts the same")),
        AcrossWeights::Benchmark => lang.text(text!("each benchmark counts the same")),
    };
    let here = lang.say(&say!("weights of the combined differences above: {weights}\n"));
    let never = if rows.iter().any(|row| row.item.is_none() || row.benchmark.is_none()) {
        lang.text(text!("no number: these tasks are too few to find a difference between two models whose results differ on so few tasks\n"))
    } else {
        ""
    };
    format!("{title}{}{never}{here}", table.text())
}

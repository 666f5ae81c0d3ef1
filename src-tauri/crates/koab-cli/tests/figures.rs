//! One number, one meaning, on every face: each figure of a published, an own judged and a resumed run's report is the same
//! bits in `--json`, the library, the report's page and Compare, and one rounding of them under one name where people read.

#![allow(clippy::print_stdout, reason = "the count is for whoever reads the test's output")]

use crate::support::{Koab, ReplayServer, read_json, shared};
use koab_api::{Api, Language, MetricId, ReportDetail, ReportFormat, ReportRow, shown};
use koab_core::score::composite::CompositeVariant;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

const MODEL: &str = "azure/gpt-4o";
const PUBLISHED: &str = "azure_gpt-4o-mini_20251219";

/// A number by where it is of and its name: its bits, and those of its interval's ends.
type Figures = BTreeMap<(String, String), (Option<u64>, Option<[u64; 2]>)>;

/// The text of a face by the same names.
type Texts = BTreeMap<(String, String), String>;

#[test]
fn every_number_of_a_report_is_the_same_on_every_face() {
    let Some(shared) = shared("every_number_of_a_report_is_the_same_on_every_face") else {
        return;
    };
    let koab = Koab::new();
    let path = |text: &str| shared.join(text).to_str().expect("a path").to_owned();
    koab.use_published(&shared);
    koab.ok(&["report", "import", &path(&format!("parity/reports/{PUBLISHED}"))]);
    let server = ReplayServer::start(&shared, &[]);
    let asking = ["run", "--model", MODEL, "--base-url", &server.base_url];
    let run = |words: &[&str]| koab.json(&[&asking[..], words].concat())["run"].clone();
    let judged = report_of(&koab, &run(&["--concurrency", "4"]), &path("parity/judge_replay.json"));

    // Two calls at once, stopped in the middle, gone on with: two calls at once.
    let cut = run_stopped(&koab, &asking);
    let end = koab.json(&["run", "--resume", &cut, "--max-total-tokens", "100000000"])["run"].clone();
    assert_eq!((&end["done"], &end["outcome"]), (&91.into(), &"completed".into()));
    let manifest = read_json(&Path::new(end["folder"].as_str().expect("a folder")).join("run.json"));
    assert_eq!(manifest["spec"]["concurrency"], 2, "the settings are those of the run");
    let resumed = report_of(&koab, &end, &path("parity/judge_replay.json"));

    let api = Api::open(Some(koab.path().to_owned())).expect("opened");
    let ids = [PUBLISHED.to_owned(), judged, resumed];
    let mut counted = 0;
    for id in &ids {
        counted += walk(&koab, &api, id);
    }
    // What was replayed is the published run of the model: the composite in both of its readings is known.
    let expected = read_json(&shared.join("parity/expected.json"));
    let known = |model: &str, variant: &str| expected[model]["composite"][variant]["composite"].as_f64();
    let row = |id: &String| api.runs.library.report_detail(id).expect("opened").row;
    for (id, model, variant) in [
        (&ids[0], "azure_gpt-4o-mini", "flat_report"),
        (&ids[1], "azure_gpt-4o", "flat_report"),
        (&ids[2], "azure_gpt-4o", "flat_report"),
    ] {
        let (row, known) = (row(id), known(model, variant).expect("known"));
        assert_eq!(row.variant, variant, "{id}");
        assert!((row.composite.expect("a value") - known).abs() < 1e-12, "{id}");
    }
    counted += beside_each_other(&koab, &api, &ids);
    counted += in_a_bundle(&koab, &ids[1]);
    println!("{counted} numbers are the same on all faces");
    assert!(counted > 3 * 400, "only {counted} numbers were compared");
}

/// Starts a run with two calls at once that stops at a cap; its id.
fn run_stopped(koab: &Koab, asking: &[&str]) -> String {
    let words = ["--concurrency", "2", "--max-total-tokens", "60000", "--json", "--quiet"];
    let ran = koab.run(&[asking, &words].concat());
    let document: Value = serde_json::from_str(&ran.stdout).expect("one JSON document");
    assert_eq!(document["run"]["outcome"], "budget_spent", "{document}");
    document["run"]["run"].as_str().map_or_else(
        || {
            let folder = Path::new(document["run"]["folder"].as_str().expect("a folder")).to_owned();
            let parts: Vec<_> = folder.iter().rev().take(2).map(|part| part.to_string_lossy()).collect();
            format!("{}/{}", parts[1], parts[0])
        },
        str::to_owned,
    )
}

/// Scores a run with the recorded answers of judges; the report's id.
fn report_of(koab: &Koab, run: &Value, replay: &str) -> String {
    let folder = run["folder"].as_str().expect("a folder");
    let reports = koab.json(&["evaluate", "--run", folder, "--judge-replay", replay]);
    reports[0]["id"].as_str().expect("an id").to_owned()
}

/// One report on each face by itself. How many numbers were held.
fn walk(koab: &Koab, api: &Api, id: &str) -> usize {
    let view = koab.json(&["report", "show", id]);
    let wanted = figures(&view);
    assert!(wanted.len() > 44, "{id}: {} figures", wanted.len());
    let detail = api.runs.library.report_detail(id).expect("opened");
    // The page: the same bits.
    let page = serde_json::to_value(&detail).expect("JSON");
    let on_page = figures(&page);
    for (name, figure) in &wanted {
        assert_eq!(on_page.get(name), Some(figure), "{id}: the page's {name:?}");
    }
    assert_eq!(view["composites"][0]["variant"], page["composites"][0]["variant"], "{id}");
    assert_eq!(view["composites"][0]["reading"], page["composites"][0]["reading"], "{id}");
    assert_eq!(view["composites"][0]["variant"], detail.row.variant, "{id}");
    let mut held = wanted.len() + published_files(api, id, &wanted);

    // The terminal, the exported page and the Markdown beside: one rounding, one name.
    let shown = texts(&wanted, false);
    let terminal = koab.ok(&["report", "show", id]).stdout;
    held += tells(&format!("{id} on the terminal"), &terminal_cells(&terminal), &shown);
    let html = api.runs.library.report_export(id, ReportFormat::Html, "en").expect("exported").text;
    held += tells(&format!("{id} as HTML"), &html_cells(&html), &texts(&on_page, false));
    let markdown = api.runs.library.report_export(id, ReportFormat::Md, "en").expect("exported");
    let statistics = beside(&markdown, ".statistics.md");
    held += tells(&format!("{id} in Markdown"), &markdown_cells(statistics), &texts(&on_page, true));
    // The CSV beside: bits again.
    let csv = api.runs.library.report_export(id, ReportFormat::Csv, "en").expect("exported");
    held += csv_figures(&format!("{id} in CSV"), beside(&csv, ".statistics.csv"), &on_page);
    held
}

fn beside<'a>(file: &'a koab_api::ReportFile, ending: &str) -> &'a str {
    let found = file.beside.iter().find(|beside| beside.name.ends_with(ending));
    &found.expect("a file beside").text
}

/// Reads the figures of a report as `report show --json` or the page's answer has them.
fn figures(report: &Value) -> Figures {
    let bits = |value: &Value| value.as_f64().map(f64::to_bits);
    let ends = |range: &Value| {
        let interval = range.get("interval").filter(|found| !found.is_null())?;
        Some([bits(&interval["low"])?, bits(&interval["high"])?])
    };
    let mut figures = Figures::new();
    let mut put = |of: &str, name: &str, row: &Value, value: &Value| {
        figures.insert((of.to_owned(), name.to_owned()), (bits(value), ends(&row["range"])));
    };
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    for level in report["levels"].as_array().expect("levels") {
        let name = text(&level["level"]);
        for metric in level["metrics"].as_array().expect("metrics") {
            put(&name, &text(&metric["metric"]), metric, &metric["mean"]);
        }
        put(&name, "level score", level, &level["score"]);
    }
    for row in report["overall"].as_array().expect("means over all tasks") {
        put("all", &text(&row["metric"]), row, &row["value"]);
    }
    for row in report["composites"].as_array().expect("readings") {
        put("composite", &text(&row["variant"]), row, &row["value"]);
    }
    figures
}

/// The figures as people see them: the value, then its interval.
fn texts(figures: &Figures, published_names: bool) -> Texts {
    let number = |bits: &u64| f64::from_bits(*bits);
    let text = |value: &Option<u64>, ends: &Option<[u64; 2]>| {
        let ends = ends.map_or_else(
            || shown::NONE.to_owned(),
            |[low, high]| shown::ends(f64::from_bits(low), f64::from_bits(high)),
        );
        format!("{} {ends}", shown::score(value.as_ref().map(number)))
    };
    let named = figures.iter().map(|((of, name), (value, ends))| {
        let name = if published_names { name } else { shown::metric(name, Language::ENGLISH) };
        ((of.clone(), name.to_owned()), text(value, ends))
    });
    named.collect()
}

/// Every text that a face has must be that of the figure by its name, and the face must have the means, and the composite.
fn tells(face: &str, found: &Texts, wanted: &Texts) -> usize {
    for (name, text) in found {
        assert_eq!(wanted.get(name), Some(text), "{face}: {name:?}");
    }
    for name in wanted.keys().filter(|(of, name)| of != "composite" && name != "level score") {
        assert!(found.contains_key(name), "{face} lacks {name:?}");
    }
    assert!(found.keys().any(|(of, _)| of == "composite"), "{face} has no composite");
    found.len()
}

/// Cells that are set apart by two blanks or more.
fn cells(line: &str) -> Vec<&str> {
    line.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect()
}

fn terminal_cells(text: &str) -> Texts {
    let mut found = Texts::new();
    let mut in_overall = false;
    for line in text.lines() {
        let row = cells(line);
        in_overall = match row.first() {
            Some(first) if first.ends_with("all tasks") => true,
            None => false,
            Some(_) => in_overall,
        };
        match row.as_slice() {
            [level, metric, mean, interval, ..]
                if level.len() == 2 && level.starts_with('L') && is_number(mean) && is_interval(interval) =>
            {
                found.insert(((*level).to_owned(), (*metric).to_owned()), format!("{mean} {interval}"));
            }
            [metric, mean, interval, ..] if in_overall && is_number(mean) && is_interval(interval) => {
                found.insert(("all".to_owned(), (*metric).to_owned()), format!("{mean} {interval}"));
            }
            _ => {}
        }
        let titled = line.split_once(": ").and_then(|(title, rest)| Some((variant_titled(title)?, rest)));
        if let Some((variant, rest)) = titled {
            let (value, rest) = rest.split_once(' ').unwrap_or((rest, ""));
            if is_number(value) {
                let ends =
                    rest.split_once(']').map_or(shown::NONE.to_owned(), |(ends, _)| format!("{ends}]"));
                found.insert(("composite".to_owned(), variant), format!("{value} {ends}"));
            }
        }
    }
    found
}

/// Code name of the reading of the composite that people read by this title.
fn variant_titled(title: &str) -> Option<String> {
    let mut names = CompositeVariant::ALL.into_iter().map(CompositeVariant::name);
    names.find(|name| shown::composite(name, Language::ENGLISH) == title)
}

fn is_interval(text: &str) -> bool {
    text == shown::NONE || text.starts_with('[')
}

fn is_level(text: &str) -> bool {
    text.starts_with('L') && text[1..].starts_with(|digit: char| digit.is_ascii_digit())
}

fn is_number(text: &str) -> bool {
    text == shown::NONE || text.parse::<f64>().is_ok()
}

/// The cells of each row of the exported page, without marks.
fn html_rows(html: &str) -> Vec<Vec<String>> {
    let row = |row: &str| -> Vec<String> {
        row.split("</t")
            .filter_map(|cell| {
                let text: String = cell.split('<').filter_map(|part| Some(part.split_once('>')?.1)).collect();
                (cell.contains("<th") || cell.contains("<td")).then(|| text.trim().to_owned())
            })
            .collect()
    };
    html.split("<tr").skip(1).map(|text| row(text.split("</tr>").next().unwrap_or(text))).collect()
}

fn html_cells(html: &str) -> Texts {
    let mut found = Texts::new();
    let until_attempts = html.split("id=\"repetitions\"").next().unwrap_or(html);
    let mut level = String::new();
    for row in html_rows(until_attempts) {
        let mut put = |of: &str, name: &str, value: &str, ends: &str| {
            found.insert((of.to_owned(), name.to_owned()), format!("{value} {ends}"));
        };
        match row.as_slice() {
            [group] if is_level(group) => level = group[..2].to_owned(),
            [title, value, ends, _, _] if variant_titled(title).is_some() => {
                put("composite", &variant_titled(title).unwrap_or_default(), value, ends);
            }
            [of, _, value, ends, _] if is_level(of) => put(&of[..2], "level score", value, ends),
            [metric, value, ends, _, _] if is_number(value) => put("all", metric, value, ends),
            [metric, value, ends, _, _, _] if is_number(value) => put(&level, metric, value, ends),
            _ => {}
        }
    }
    found
}

fn markdown_cells(text: &str) -> Texts {
    let mut found = Texts::new();
    let mut title = "";
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("## ") {
            title = name;
        }
        let row: Vec<&str> = line.split('|').map(str::trim).collect();
        if let [_, level, name, _, value, ends, ..] = row.as_slice()
            && is_number(value)
        {
            let of = if title == "Composite score" { "composite" } else { level };
            let variant = variant_titled(name).filter(|_| of == "composite");
            let name = variant.unwrap_or_else(|| (*name).to_owned());
            found.insert((of.to_owned(), name), format!("{value} {ends}"));
        }
    }
    found
}

fn csv_figures(face: &str, text: &str, wanted: &Figures) -> usize {
    let mut held = 0;
    for line in text.lines().skip(1) {
        let row: Vec<&str> = line.split(',').collect();
        let of = match (row[0], row[1]) {
            ("composite", _) => "composite",
            ("mean", "") => "all",
            ("mean" | "level_score", level) => level,
            _ => continue,
        };
        let name = if row[0] == "level_score" { "level score" } else { row[2] };
        let bits = |text: &str| text.parse::<f64>().ok().map(f64::to_bits);
        let ends = bits(row[5]).zip(bits(row[6])).map(|(low, high)| [low, high]);
        let name = (of.to_owned(), name.to_owned());
        assert_eq!(wanted.get(&name), Some(&(bits(row[4]), ends)), "{face}: {name:?}");
        held += 1;
    }
    assert_eq!(held, wanted.len(), "{face}");
    held
}

/// The published forms: JSON has the bits, the CSV four decimals, the Markdown three.
fn published_files(api: &Api, id: &str, wanted: &Figures) -> usize {
    let text = |format| api.runs.library.report_export(id, format, "en").expect("exported").text;
    let json: Value = serde_json::from_str(&text(ReportFormat::Json)).expect("JSON");
    let mut held = 0;
    for (level, document) in json["by_level"].as_object().expect("levels") {
        for (metric, value) in document["metrics"].as_object().expect("metrics") {
            let name = (level.clone(), metric.clone());
            let wanted = wanted.get(&name).unwrap_or_else(|| panic!("{id}: {name:?}")).0;
            assert_eq!(value.as_f64().map(f64::to_bits), wanted, "{id}: {name:?} in JSON");
            held += 1;
        }
    }
    let csv = text(ReportFormat::Csv);
    let header: Vec<&str> = csv.lines().next().expect("a header").split(',').collect();
    for line in csv.lines().skip(1) {
        let row: Vec<&str> = line.split(',').collect();
        for (metric, cell) in header.iter().zip(&row).skip(7) {
            if let Some((Some(bits), _)) = wanted.get(&(row[0].to_owned(), (*metric).to_owned())) {
                assert_eq!(
                    *cell,
                    shown::fixed(f64::from_bits(*bits), 4).replace('−', "-"),
                    "{id}: {} {metric} in CSV",
                    row[0]
                );
                held += 1;
            }
        }
    }
    let mut level = "";
    for line in text(ReportFormat::Md).lines() {
        if let Some(name) = line.strip_prefix("### ") {
            level = name.get(..2).unwrap_or_default();
        }
        let figure = line.strip_prefix("- **").and_then(|rest| rest.split_once("**: "));
        if let Some((metric, rest)) = figure
            && let Some((Some(bits), _)) = wanted.get(&(level.to_owned(), metric.to_owned()))
        {
            let number = rest.split(' ').next().unwrap_or_default();
            assert_eq!(
                number,
                shown::fixed(f64::from_bits(*bits), 3).replace('−', "-"),
                "{id}: {level} {metric} in Markdown"
            );
            held += 1;
        }
    }
    held
}

/// The list, Compare and the terminal's tables: one reading that all of them have, by name, and the same bits as each page.
fn beside_each_other(koab: &Koab, api: &Api, ids: &[String]) -> usize {
    let details: Vec<ReportDetail> =
        ids.iter().map(|id| api.runs.library.report_detail(id).expect("opened")).collect();
    let library = api.runs.library.reports_library().expect("listed");
    let reading = library[0].variant.clone();
    assert_eq!(reading, "flat_report", "a published report has no other");
    let of = |detail: &ReportDetail| {
        let figure = detail.view.composites.iter().find(|figure| figure.variant == reading);
        figure.expect("the reading").figure.value()
    };
    let listed = koab.ok(&["report", "list"]).stdout;
    let header = cells(listed.lines().next().expect("a header"))
        .iter()
        .position(|cell| *cell == shown::composite(&reading, Language::ENGLISH));
    let column = header.expect("the reading's name heads its column");
    assert!(listed.contains("composite: the metrics that published reports contain"), "{listed}");
    let compared = api.compare.compare(ids).expect("compared");
    assert_eq!(compared.matrix.composites[0].variant, reading);
    let terminal = koab
        .ok(&[&["report", "compare"][..], &ids.iter().map(String::as_str).collect::<Vec<_>>()].concat())
        .stdout;
    let ranks = api.compare.compare_ranks(ids, None, Some(1000)).expect("ranked");
    assert_eq!(ranks.rankings[0].variant.as_deref(), Some(reading.as_str()));
    let mut held = 0;
    for (place, (id, detail)) in ids.iter().zip(&details).enumerate() {
        let row: &ReportRow = library.iter().find(|row| row.id == *id).expect("listed");
        assert_eq!((&row.variant, row.composite), (&reading, of(detail)), "{id}");
        let line = listed.lines().find(|line| line.starts_with(id.as_str())).expect("a line");
        assert_eq!(cells(line)[column], shown::score(of(detail)), "{id}: {line}");
        let success = detail.view.overall.iter().find(|figure| figure.metric == MetricId::Sr).expect("SR");
        assert_eq!(row.success, success.figure.value(), "{id}");
        assert_eq!(
            row.success_range.as_ref().and_then(|range| range.interval()),
            success.range.interval(),
            "{id}"
        );
        let line = terminal.lines().find(|line| line.starts_with(id.as_str())).expect("a line");
        assert_eq!(cells(line)[2], shown::score(of(detail)), "{id}: {line}");
        for (at, level) in detail.view.levels.iter().enumerate() {
            assert_eq!(row.levels[at].score, level.score, "{id}");
            assert_eq!(compared.matrix.levels[at].own.values[place], level.score.score(), "{id}");
            assert_eq!(cells(line)[3 + at], shown::score(level.score.score()), "{id}: {line}");
            for figure in &level.metrics {
                let mut same = compared.matrix.levels[at].metrics.iter();
                let means = &same.find(|row| row.metric == figure.metric).expect("the metric").means;
                assert_eq!(means.values[place], figure.mean.mean(), "{id}");
                let range = figure.range.as_ref().expect("drawn");
                assert_eq!(means.intervals[place], range.interval(), "{id}");
                held += 1;
            }
        }
        for row in &compared.matrix.composites {
            let figure =
                detail.view.composites.iter().find(|figure| figure.variant == row.variant).expect("it");
            assert_eq!(row.values.values[place], figure.figure.value(), "{id}: {}", row.variant);
            held += 1;
        }
    }
    // Beside whatever others, a report is listed with the same number.
    let own = api.runs.library.report_delete(PUBLISHED).expect("deleted");
    for row in api.runs.library.reports_library().expect("listed") {
        assert_eq!(row.variant, "flat_report", "{}", row.id);
        assert_eq!(
            row.composite,
            details.iter().find(|detail| detail.row.id == row.id).expect("it").row.composite
        );
        held += 1;
    }
    api.runs.library.report_restore(&own.key).expect("restored");
    held
}

/// In another workspace a bundle's report has the same bits.
fn in_a_bundle(koab: &Koab, id: &str) -> usize {
    let view = koab.json(&["report", "show", id]);
    let file = koab.path().join("one.koab");
    let file = file.to_str().expect("a path");
    koab.ok(&["submit", "bundle", view["run"].as_str().expect("its run"), "-o", file]);
    let there = Koab::new();
    there.ok(&["submit", "verify", file]);
    let imported = there.json(&["report", "import", file]);
    let items = imported["items"].as_array().expect("items");
    let report = items.iter().find(|item| item["what"] == "report").expect("a report");
    let wanted = figures(&view);
    let found = figures(&there.json(&["report", "show", report["id"].as_str().expect("an id")]));
    // What only this workspace kept beside the published files does not travel: readings with metrics that these lack.
    let travels = |(of, name): &(String, String)| of != "composite" || name.ends_with("_report");
    for (name, figure) in wanted.iter().filter(|(name, _)| travels(name)) {
        assert_eq!(found.get(name), Some(figure), "{id} in a bundle: {name:?}");
    }
    wanted.keys().filter(|name| travels(name)).count()
}

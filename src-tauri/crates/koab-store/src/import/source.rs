//! Reads the content of a pack's folder. Cached responses are only listed here.

use super::Origin;
use super::layout::{Kind, Layout};
use super::records::{self, Unit};
use super::roots::ImportRoots;
use super::{catalog_py, documents};
use crate::error::{Error, Result};
use crate::folder;
use crate::table::document::DocumentRow;
use koab_core::cache_key::sha256_hex;
use koab_core::finding::{Fault, Problem};
use koab_core::level::Level;
use koab_core::pack::{PACK_FORMAT, Pack, PackCounts, PackManifest, is_pack_name};
use koab_core::say;
use koab_core::sentence::{Sentence, ToSentence as _};
use koab_core::text;
use koab_core::text_file;
use koab_core::tool::ToolSpec;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;

/// Name of the published benchmark's pack.
const BENCHMARK: &str = "ko-agentbench";

/// Content of a pack that is about to be imported.
pub(super) struct Source {
    pub(super) pack: Pack,
    pub(super) documents: Vec<DocumentRow>,
    pub(super) records: Records,
    /// Number of records that the manifest states.
    pub(super) promised_records: u32,
}

/// Source of the cached responses.
pub(super) enum Records {
    /// Files in the pack's folder.
    Files(Vec<Unit>),
    /// Cached responses of an installed pack with the same tools, by its label.
    OfPack(String),
}

/// Paths of a layout's parts.
struct Folders {
    tasks: &'static str,
    prompts: &'static str,
    cache: &'static str,
}

fn places(kind: Kind) -> Folders {
    match kind {
        Kind::Starter => Folders { tasks: "tasks", prompts: "tasks/judge_prompts.yaml", cache: "cache" },
        Kind::Published => Folders { tasks: "tasks", prompts: "judge_prompts.yaml", cache: "cache" },
        Kind::Checkout => {
            Folders { tasks: "bench/tasks", prompts: "bench/runner/prompts.yaml", cache: "bench/cache" }
        }
    }
}

/// Reads a pack's folder. Errors name `shown`, the path that the user gave.
pub(super) fn read(
    layout: &Layout,
    inside: &ImportRoots,
    shown: &Path,
    origin: Option<&Origin>,
    problems: &mut Vec<Problem>,
) -> Result<Source> {
    let places = places(layout.kind);
    let own_manifest = match layout.kind {
        Kind::Starter => Some(manifest(&layout.root, inside, shown)?),
        Kind::Published | Kind::Checkout => None,
    };
    let mut reader = Reader { root: &layout.root, inside, problems };
    let mut rows = Vec::new();
    for level in Level::ALL {
        if let Some(content) = reader.text(&format!("{}/{level}.json", places.tasks))? {
            rows.push(documents::row(documents::level_path(&level), content));
        }
    }
    let tools = reader.tools(layout.kind, own_manifest.as_ref())?;
    rows.push(documents::row(documents::TOOLS, rendered(&tools)));
    match reader.text(places.prompts)? {
        Some(content) => rows.push(documents::row(documents::PROMPTS, content)),
        None => reader.problems.push(
            Fault::Missing
                .warning(say!("is missing, so metrics that need a judge stay unscored"))
                .in_file(places.prompts),
        ),
    }
    if layout.kind == Kind::Starter {
        for path in documents::RECORDING {
            if let Some(content) = reader.text(path)? {
                rows.push(documents::row(path, content));
            }
        }
    }
    let cache = layout.root.join(places.cache);
    let units = records::list(&cache, places.cache, inside, reader.problems)?;
    if let Some(manifest) = &own_manifest {
        reader.check_hashes(manifest, &units)?;
    }
    let manifest = own_manifest.unwrap_or_else(|| unstated_manifest(&rows, origin));
    let promised = manifest.counts.clone();
    let (mut pack, document_problems) = documents::read(manifest, &rows);
    problems.extend(document_problems);
    // A recorded server can be replayed before the first task is written.
    let is_recording = rows.iter().any(|row| row.path == documents::RECORDING[0]);
    if pack.tasks.is_empty() && !is_recording {
        let first = problems.iter().find(|problem| problem.is_error());
        let from = shown.display();
        return Err(Error::BadFile(match first {
            Some(problem) => say!("{from} holds no task that can be run ({problem}); nothing was imported"),
            None => say!("{from} holds no task that can be run; nothing was imported"),
        }));
    }
    let counts = PackCounts { tasks: pack.task_counts(), tools: pack.tools.len() as u32, records: 0 };
    problems.extend(count_mismatches(&promised, &counts));
    pack.manifest.counts = counts;
    Ok(Source { pack, documents: rows, records: Records::Files(units), promised_records: promised.records })
}

pub(super) fn manifest(root: &Path, inside: &ImportRoots, shown: &Path) -> Result<PackManifest> {
    let path = root.join("tasks/pack.json");
    let refuse = |why: Sentence| {
        Error::BadFile(say!("{}: tasks/pack.json {why}; nothing was imported", shown.display()))
    };
    let mut problems = Vec::new();
    let content = inside.read(&path, "tasks/pack.json", &mut problems)?.ok_or_else(|| {
        refuse(problems.pop().map_or_else(|| say!("is not there"), |problem| problem.sentence))
    })?;
    let content = text_file::decode(content).map_err(|why| refuse(why.to_sentence()))?;
    if !content.trim_start().starts_with('{') {
        return Err(refuse(say!("is not a JSON object")));
    }
    let manifest: PackManifest =
        serde_json::from_str(&content).map_err(|error| refuse(say!("cannot be read: {error}")))?;
    if manifest.format > PACK_FORMAT {
        let format = manifest.format;
        return Err(refuse(say!(
            "has format {format} and this version reads up to {PACK_FORMAT}; update Ko-AgentBench Desktop"
        )));
    }
    if !is_pack_name(&manifest.name) {
        return Err(refuse(say!("needs a name of at most 64 letters, digits, dots, dashes and underscores")));
    }
    Ok(manifest)
}

/// Makes a manifest for published data, which has none. The version is a hash of the content.
pub(super) fn unstated_manifest(rows: &[DocumentRow], origin: Option<&Origin>) -> PackManifest {
    let hashes: String = rows.iter().map(|row| format!("{} {}\n", row.path, row.sha256)).collect();
    let version = sha256_hex(&hashes)[..12].to_owned();
    // The published repositories name their licence only outside their files.
    let of_benchmark = origin.is_none_or(|origin| origin.name == BENCHMARK);
    if let Some(origin) = origin {
        let licence = of_benchmark.then(|| "Apache-2.0".to_owned());
        return PackManifest {
            format: PACK_FORMAT,
            name: origin.name.clone(),
            version,
            title: if of_benchmark { "Ko-AgentBench".to_owned() } else { origin.name.clone() },
            source: origin.source.clone(),
            licence: origin.licence.clone().or(licence).unwrap_or_default(),
            ..PackManifest::default()
        };
    }
    PackManifest {
        format: PACK_FORMAT,
        name: BENCHMARK.to_owned(),
        version,
        title: "Ko-AgentBench".to_owned(),
        source: "Hugging-Face-KREW/Ko-AgentBench".to_owned(),
        licence: "Apache-2.0".to_owned(),
        ..PackManifest::default()
    }
}

fn rendered(tools: &[ToolSpec]) -> String {
    serde_json::to_string(tools).expect("BUG: tool definitions are JSON")
}

fn count_mismatches(stated: &PackCounts, found: &PackCounts) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut hold = |what: Sentence, stated: u32, found: u32| {
        if stated != found {
            let why = say!("states {stated} {what}, {found} can be used");
            problems.push(Fault::Count.warning(why).in_file("tasks/pack.json").at("counts"));
        }
    };
    for (level, stated) in &stated.tasks {
        hold(say!("tasks of {level}"), *stated, found.tasks.get(level).copied().unwrap_or(0));
    }
    if stated.tools > 0 {
        hold(text!("tools").into(), stated.tools, found.tools);
    }
    problems
}

struct Reader<'a> {
    root: &'a Path,
    inside: &'a ImportRoots,
    problems: &'a mut Vec<Problem>,
}

impl Reader<'_> {
    /// Text of a file. `None` when it is missing or cannot be read as text.
    fn text(&mut self, file: &str) -> Result<Option<String>> {
        let Some(content) = self.inside.read(&self.root.join(file), file, self.problems)? else {
            return Ok(None);
        };
        match text_file::decode(content) {
            Ok(text) => Ok(Some(text)),
            Err(why) => {
                self.problems.push(Fault::Unreadable.rejected(why.to_sentence()).in_file(file));
                Ok(None)
            }
        }
    }

    fn json(&mut self, file: &str) -> Result<Option<Value>> {
        let Some(text) = self.text(file)? else {
            return Ok(None);
        };
        match serde_json::from_str(&text) {
            Ok(value) => Ok(Some(value)),
            Err(error) => {
                self.problems.push(documents::no_json(file, &error));
                Ok(None)
            }
        }
    }

    fn tools(&mut self, kind: Kind, manifest: Option<&PackManifest>) -> Result<Vec<ToolSpec>> {
        let tools = match kind {
            Kind::Starter => self.tool_files(manifest.map_or(&[], |manifest| &manifest.tool_order))?,
            Kind::Published => self.catalog("tool_catalog.json")?,
            Kind::Checkout => match self.text("bench/tools/tool_catalog.py")? {
                Some(module) => {
                    let (tools, tool_problems) = catalog_py::read(&module);
                    let file = "bench/tools/tool_catalog.py";
                    self.problems.extend(tool_problems.into_iter().map(|problem| problem.in_file(file)));
                    tools
                }
                None => self.catalog("bench/tools/tool_catalog.json")?,
            },
        };
        if tools.is_empty() {
            self.problems.push(
                Fault::Missing.warning(say!("there is no tool definition, so no task can call anything")),
            );
        }
        Ok(tools)
    }

    fn catalog(&mut self, file: &str) -> Result<Vec<ToolSpec>> {
        let Some(entries) = self.json(file)? else {
            return Ok(Vec::new());
        };
        Ok(documents::tools(&entries, file, self.problems))
    }

    fn tool_files(&mut self, order: &[String]) -> Result<Vec<ToolSpec>> {
        let folder = self.root.join("tasks/tools");
        let mut tools: Vec<ToolSpec> = Vec::new();
        for name in files_in(&folder, "json")? {
            let file = format!("tasks/tools/{name}");
            for tool in self.catalog(&file)? {
                if tools.iter().any(|known| known.name == tool.name) {
                    let why = say!("the name `{}` is already taken", tool.name);
                    self.problems.push(Fault::Taken.rejected(why).in_file(&file));
                } else {
                    tools.push(tool);
                }
            }
        }
        let place = |tool: &ToolSpec| order.iter().position(|name| *name == tool.name).unwrap_or(order.len());
        tools.sort_by_key(place);
        Ok(tools)
    }

    /// Compares every file with its hash in the manifest.
    fn check_hashes(&mut self, manifest: &PackManifest, units: &[Unit]) -> Result<()> {
        if manifest.sha256.is_empty() {
            self.problems.push(
                Fault::Missing
                    .warning(say!("states no hashes, so nothing can be checked"))
                    .in_file("tasks/pack.json"),
            );
            return Ok(());
        }
        let mut listed_files = BTreeSet::new();
        for (file, hash) in &manifest.sha256 {
            // Paths may start at the pack's root or at its tasks folder.
            let candidates = [file.clone(), format!("tasks/{file}")];
            let inside = |path: &&String| !Path::new(path).is_absolute() && !path.contains("..");
            let Some(path) = candidates.iter().filter(inside).find(|path| self.root.join(path).is_file())
            else {
                self.problems.push(
                    Fault::Missing.rejected(say!("is in the manifest, but not in the pack")).in_file(file),
                );
                continue;
            };
            listed_files.insert(path.clone());
            // Files of records may have any size.
            let actual = self.inside.sha256(&self.root.join(path))?;
            if actual.is_some_and(|actual| !actual.eq_ignore_ascii_case(hash)) {
                let why = say!(
                    "is not the file whose hash the manifest states; it was changed after the pack was made"
                );
                self.problems.push(Fault::Changed.warning(why).in_file(path));
            }
        }
        let records = units.iter().map(|unit| unit.shown.clone());
        let tasks =
            files_in(&self.root.join("tasks"), "json")?.into_iter().map(|name| format!("tasks/{name}"));
        for file in
            tasks.chain(records).filter(|file| file != "tasks/pack.json" && !listed_files.contains(file))
        {
            self.problems.push(Fault::Changed.warning(say!("is not in the manifest")).in_file(file));
        }
        Ok(())
    }
}

/// Sorted names of a folder's entries with this ending, without folders. Empty when there is no
/// such folder. Links and special files are included, so that reading them reports the problem.
fn files_in(folder: &Path, ending: &str) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in folder::entries(folder)? {
        let path = entry.path();
        let fits = path.extension().is_some_and(|found| found == ending) && !path.is_dir();
        if let (true, Some(name)) = (fits, path.file_name().and_then(|name| name.to_str())) {
            names.push(name.to_owned());
        }
    }
    names.sort();
    Ok(names)
}

#[cfg(test)]
mod tests;

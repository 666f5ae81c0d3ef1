//! Implements `koab pack pull` and `koab pack published`.

use super::interrupt::on_ctrl_c;
use crate::CommandEnd;
use crate::args::pack::PackPullArgs;
use crate::job_progress;
use crate::output::{Columns, Output, columns};
use crate::render::pack_problems;
use koab_api::shown::{NONE, bytes};
use koab_api::{
    Api, DriftRow, DriftStanding, JobKind, PackImport, PackPullRequest, PackPulled, PackSummary,
    PublishedDrift, PublishedSummary, PublishedView, PulledFrom, WireError,
};
use koab_core::sentence::Language;
use koab_core::{say, text};

/// Maximum length of an instruction in a table, in characters.
const MAX_INSTRUCTION_CHARS: usize = 48;

pub(super) async fn pull(api: &Api, args: PackPullArgs, output: Output) -> Result<CommandEnd, WireError> {
    let lang = output.lang;
    let request = PackPullRequest { from: args.from, archive: args.archive, pack: args.pack };
    let cancel = on_ctrl_c();
    let kinds = [JobKind::PackPull, JobKind::PackImport];
    let pulled = job_progress::during(api, output, &kinds, api.packs.pull(request, &cancel)).await?;
    if let PackPulled::Pack { imported, .. } | PackPulled::Tasks { imported, .. } = &pulled {
        if args.r#use {
            api.packs.activate(&imported.pack.name)?;
        }
        let published = api.packs.is_published(&imported.pack.name);
        pack_problems::remark(&imported.problems, args.problems, published, output);
    } else if args.r#use {
        output.remark(lang.text(text!("published tasks cannot be run; the active pack is unchanged")));
    }
    output.result(&pulled, || match &pulled {
        PackPulled::Pack { from, imported } => pulled_text(from, imported, lang),
        PackPulled::Tasks { from, imported, with } => {
            let text = lang.say(&say!("its tools, judge prompts and cached responses are those of {with}"));
            format!("{}\n{text}", pulled_text(from, imported, lang))
        }
        PackPulled::Published { published, .. } => published_text(published, lang),
    });
    if let PackPulled::Published { published, .. } = &pulled {
        pack_problems::remark(&published.problems, true, false, output);
    }
    Ok(CommandEnd::Done)
}

pub(super) fn published(
    api: &Api,
    repo: Option<&str>,
    pack: Option<&str>,
    forget: bool,
    output: Output,
) -> Result<(), WireError> {
    let lang = output.lang;
    let Some(repo) = repo else {
        let all = api.packs.published_list()?;
        output.result(&all, || listed(&all, lang));
        return Ok(());
    };
    let (name, commit) = match repo.split_once('@') {
        Some((name, commit)) => (name, Some(commit)),
        None => (repo, None),
    };
    let commit = api.packs.published_commit(name, commit)?;
    if forget {
        let remaining = api.packs.published_forget(name, &commit)?;
        output.result(&remaining, || listed(&remaining, lang));
        return Ok(());
    }
    let view = api.packs.published_view(name, Some(&commit), pack)?;
    pack_problems::remark(&view.problems, true, false, output);
    output.result(&view, || published_text(&view, lang));
    Ok(())
}

fn pulled_text(from: &PulledFrom, imported: &PackImport, lang: Language) -> String {
    let at = match (&from.commit, &from.sha256) {
        (Some(commit), _) => format!("@{commit}"),
        (None, Some(sha256)) => format!(" (SHA-256 {sha256})"),
        (None, None) => String::new(),
    };
    format!(
        "{}{at}: {} {}, {}\n{}",
        from.name,
        from.files,
        lang.text(text!("files")),
        bytes(from.bytes),
        import_line(&imported.pack, imported.problems.len(), imported.seconds, lang)
    )
}

fn listed(all: &[PublishedSummary], lang: Language) -> String {
    if all.is_empty() {
        return lang.text(text!("nothing published was fetched; `koab pack pull REPO` does")).to_owned();
    }

    Columns::new(all.iter(), lang)
        .column(text!("published"), |one| &one.repo)
        .column(text!("commit"), |one| &one.commit)
        .column(text!("tasks"), |one| one.tasks)
        .column(text!("licence"), |one| one.licence.as_deref().unwrap_or(NONE))
        .column(text!("fetched"), |one| one.pulled_at.replace('T', " ").replace('Z', " UTC"))
        .text()
}

fn published_text(view: &PublishedView, lang: Language) -> String {
    let one = &view.summary;
    let what = lang.say(&say!(
        "{tasks} published tasks, which have instructions and names of tools only and cannot be run",
        tasks = one.tasks
    ));
    let head = format!("{}@{}\n{what}\n", one.repo, one.commit);
    match &view.drift {
        None => head + lang.text(text!("no pack is installed to compare it with")),
        Some(drift) => head + &drift_text(drift, lang),
    }
}

fn drift_text(drift: &PublishedDrift, lang: Language) -> String {
    let against = lang.text(text!("compared with"));
    let mut rows: Vec<Vec<String>> = Vec::new();
    let mut sum = [0; 7];
    for level in &drift.levels {
        let counts = [
            level.published,
            level.in_pack,
            level.same,
            level.other_tools,
            level.other_level,
            level.only_published,
            level.only_in_pack,
        ];
        for (sum, count) in sum.iter_mut().zip(counts) {
            *sum += count;
        }
        rows.push(line(level.level.as_str(), &counts));
    }
    rows.push(line(lang.text(text!("all")), &sum));
    let header = [
        "",
        lang.text(text!("published")),
        lang.text(text!("in pack")),
        standing(DriftStanding::Same, lang),
        standing(DriftStanding::OtherTools, lang),
        standing(DriftStanding::OtherLevel, lang),
        standing(DriftStanding::OnlyPublished, lang),
        standing(DriftStanding::OnlyInPack, lang),
    ];
    let mut text = format!("{against}: {}@{}\n{}", drift.pack, drift.version, columns(&header, &rows, lang));
    let differs = |row: &&DriftRow| row.standing != DriftStanding::Same;
    if drift.rows.iter().any(|row| differs(&row)) {
        let tools =
            |tools: &Option<Vec<String>>| tools.as_ref().map_or_else(|| NONE.to_owned(), |all| all.join(" "));
        let table = Columns::new(drift.rows.iter().filter(differs), lang)
            .column("", |row| &row.level)
            .id(text!("task"), |row| row.task.as_deref().unwrap_or(NONE))
            .column("", |row| standing(row.standing, lang))
            .prose(text!("tools published"), |row| tools(&row.published_tools))
            .prose(text!("tools in the pack"), |row| tools(&row.pack_tools))
            .prose(text!("instruction"), instruction);
        text += "\n";
        text += &table.text();
    }
    text
}

fn line(name: &str, counts: &[u32]) -> Vec<String> {
    let counts = counts.iter().map(ToString::to_string);
    std::iter::once(name.to_owned()).chain(counts).collect()
}

fn instruction(row: &DriftRow) -> String {
    let mut instruction: String = row.instruction.split_whitespace().collect::<Vec<_>>().join(" ");
    if let Some((at, _)) = instruction.char_indices().nth(MAX_INSTRUCTION_CHARS) {
        instruction.truncate(at);
        instruction.push('…');
    }
    instruction
}

fn standing(standing: DriftStanding, lang: Language) -> &'static str {
    match standing {
        DriftStanding::Same => lang.text(text!("same")),
        DriftStanding::OtherTools => lang.text(text!("other tools")),
        DriftStanding::OtherLevel => lang.text(text!("other level")),
        DriftStanding::OnlyPublished => lang.text(text!("only published")),
        DriftStanding::OnlyInPack => lang.text(text!("only in pack")),
    }
}

/// Line that reports an imported pack.
pub(super) fn import_line(pack: &PackSummary, problems: usize, seconds: f64, lang: Language) -> String {
    if let Some(kind) = &pack.kind {
        let items: u32 = pack.groups.iter().map(|group| group.items).sum();
        let (name, version, groups) = (&pack.name, &pack.version, pack.groups.len());
        return lang.say(&say!(
            "imported: {name}@{version} ({items} items of {kind} in {groups} groups, {problems} problems, {seconds:.2} s)"
        ));
    }
    let tasks: u32 = pack.levels.iter().map(|level| level.tasks).sum();
    let (name, version, tools, records) =
        (&pack.name, &pack.version, pack.tools.unwrap_or_default(), pack.records.unwrap_or_default());
    lang.say(&say!(
        "imported: {name}@{version} ({tasks} tasks, {tools} tools, {records} cached responses, {problems} problems, {seconds:.2} s)"
    ))
}

//! Implements `koab pack`.

use super::interrupt::on_ctrl_c;
use crate::CommandEnd;
use crate::args::pack::PackCommand;
use crate::job_progress;
use crate::output::{Columns, Output, or_dash};
use crate::render::pack_problems;
use koab_api::{Api, JobKind, PackSummary, WireError};
use koab_core::{say, text};

pub(crate) async fn pack(api: &Api, command: PackCommand, output: Output) -> Result<CommandEnd, WireError> {
    let lang = output.lang;
    match command {
        PackCommand::List => {
            let packs = api.packs.list()?;
            output.result(&packs, || text(&packs, output));
        }
        PackCommand::Show { name } => {
            let pack = api.packs.show(name.as_deref())?;
            output.result(&pack, || {
                let s = &pack.summary;
                format!(
                    "{}{}{}: {}\n{}: {}\n",
                    text(std::slice::from_ref(s), output),
                    groups(s, output),
                    lang.text(text!("source")),
                    pack.source,
                    lang.text(text!("licence")),
                    s.licence
                )
            });
        }
        PackCommand::Use { name } => {
            api.packs.activate(&name)?;
            let pack = api.packs.show(Some(&name))?;
            output.result(&pack, || {
                format!("{}: {}@{}", lang.text(text!("active pack")), name, pack.summary.version)
            });
        }
        PackCommand::Delete { name, yes } => {
            let pack = api.packs.show(Some(&name))?.summary;
            let id = format!("{}@{}", pack.name, pack.version);
            if !yes {
                return Err(WireError::bad_request(say!(
                    "this moves the pack {id} with its cached responses to the trash; confirm with --yes"
                )));
            }
            super::trash::say_unremoved(&api.runs.pack_remove(&pack.name)?, output);
            output.result(&serde_json::json!({ "deleted": id }), || {
                let name = &pack.name;
                lang.say(&say!(
                    "{id} is in the trash; `koab trash restore {name}` brings it back within 30 days"
                ))
            });
        }
        PackCommand::Import { path, r#use, problems } => {
            let cancel = on_ctrl_c();
            let import = api.packs.import_in_view(path, &cancel);
            let imported = job_progress::during(api, output, &[JobKind::PackImport], import).await?;
            if r#use {
                api.packs.activate(&imported.pack.name)?;
            }
            let published = api.packs.is_published(&imported.pack.name);
            pack_problems::remark(&imported.problems, problems, published, output);
            output.result(&imported, || {
                super::pack_pull::import_line(&imported.pack, imported.problems.len(), imported.seconds, lang)
            });
        }
        PackCommand::Pull(args) => return super::pack_pull::pull(api, args, output).await,
        PackCommand::Published { repo, pack, forget } => {
            super::pack_pull::published(api, repo.as_deref(), pack.as_deref(), forget, output)?;
        }
        PackCommand::Export { name, output: file, force } => {
            super::pack_draft::export(api, name.as_deref(), file, force, output)?;
        }
        PackCommand::Record(args) => return super::pack_record::record(api, *args, output).await,
        PackCommand::Replay(args) => return super::pack_record::replay(api, args, output).await,
        PackCommand::Lint { pack } => return super::pack_draft::lint(api, pack.as_deref(), output),
        PackCommand::Drafts => super::pack_draft::drafts(api, output)?,
        PackCommand::Draft { name, from, tasks_from } => {
            super::pack_draft::begin(api, name, from, tasks_from.as_ref(), output)?
        }
        PackCommand::Save { name } => super::pack_draft::save(api, &name, output)?,
        PackCommand::Verify { name } => {
            let problems = api.packs.verify(name.as_deref())?;
            if !problems.is_empty() {
                return Err(WireError::bad_file(say!(
                    "the pack does not match its manifest: {problems}",
                    problems = problems.join("; ")
                )));
            }
            output.result(&problems, || lang.text(text!("the pack matches its manifest")).to_owned());
        }
    }
    Ok(CommandEnd::Done)
}

fn text(packs: &[PackSummary], output: Output) -> String {
    let lang = output.lang;

    Columns::new(packs.iter(), lang)
        .column("", |p| if p.active { "*" } else { "" })
        .id(text!("pack"), |p| format!("{}@{}", p.name, p.version))
        .id(text!("benchmark"), |p| p.kind.as_deref().unwrap_or("ko-agentbench"))
        .column(text!("tasks"), |p| match p.kind {
            // Each item is one task: one request and one reply.
            Some(_) => p.groups.iter().map(|group| group.items).sum::<u32>(),
            None => p.levels.iter().map(|l| l.tasks).sum::<u32>(),
        })
        .column(text!("tools"), |p| or_dash(p.tools))
        .column(text!("records"), |p| or_dash(p.records))
        .column("", |p| if p.sample { lang.text(text!("sample data")) } else { "" })
        .prose(text!("title"), |p| &p.title)
        .text()
}

/// Table of another benchmark's groups with their numbers of items.
fn groups(pack: &PackSummary, output: Output) -> String {
    if pack.groups.is_empty() {
        return String::new();
    }
    let groups = Columns::new(&pack.groups, output.lang)
        .id(text!("group"), |group| group.group.join(" / "))
        .column(text!("items"), |group| group.items)
        .text();
    format!("\n{groups}\n")
}

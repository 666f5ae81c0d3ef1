//! `koab pack`.

use crate::Ended;
use crate::args::PackCommand;
use crate::lang::Lang;
use crate::output::{Output, columns};
use koab_api::{Api, PackSummary, WireError};

pub(crate) async fn pack(api: &Api, command: PackCommand, output: Output) -> Result<Ended, WireError> {
    let lang = output.lang;
    match command {
        PackCommand::List => {
            let packs = api.packs_list()?;
            output.result(&packs, || text(&packs, output));
        }
        PackCommand::Show { name } => {
            let pack = api.pack_show(name.as_deref())?;
            output.result(&pack, || {
                let s = &pack.summary;
                format!(
                    "{}{}: {}\n{}: {}\n",
                    text(std::slice::from_ref(s), output),
                    lang.pick("출처", "source"),
                    pack.source,
                    lang.pick("라이선스", "licence"),
                    s.licence
                )
            });
        }
        PackCommand::Use { name } => {
            api.pack_use(&name)?;
            let pack = api.pack_show(Some(&name))?;
            output.result(&pack, || {
                format!(
                    "{}: {}@{}",
                    lang.pick("사용 중인 팩", "active pack"),
                    name,
                    pack.summary.version
                )
            });
        }
        PackCommand::Import { path, r#use } => {
            let imported = api.pack_import(&path)?;
            if r#use {
                api.pack_use(&imported.pack.name)?;
            }
            for problem in &imported.problems {
                let problem = lang.said(&problem.to_string());
                output.remark(&format!("{}: {problem}", lang.pick("문제", "problem")));
            }
            output.result(&imported, || {
                brought(&imported.pack, imported.problems.len(), imported.seconds, lang)
            });
        }
        PackCommand::Pull(args) => return super::pack_pull::pull(api, args, output).await,
        PackCommand::Published { repo, pack, forget } => {
            super::pack_pull::published(api, repo.as_deref(), pack.as_deref(), forget, output)?;
        }
        PackCommand::Export {
            name,
            output: file,
            force,
        } => {
            super::pack_writing::export(api, name.as_deref(), file, force, output)?;
        }
        PackCommand::Lint { pack } => return super::pack_writing::lint(api, pack.as_deref(), output),
        PackCommand::Drafts => super::pack_writing::drafts(api, output)?,
        PackCommand::Draft { name, from } => super::pack_writing::begin(api, name, from, output)?,
        PackCommand::Save { name } => super::pack_writing::save(api, &name, output)?,
        PackCommand::Verify { name } => {
            let problems = api.pack_verify(name.as_deref())?;
            if !problems.is_empty() {
                return Err(WireError::new(
                    koab_api::ErrorCode::BadFile,
                    format!("the pack is not what its manifest says: {}", problems.join("; ")),
                ));
            }
            output.result(&problems, || {
                lang.pick("이상 없음", "as its manifest says").to_owned()
            });
        }
    }
    Ok(Ended::Done)
}

/// What an import brought, as a line.
pub(super) fn brought(pack: &PackSummary, problems: usize, seconds: f64, lang: Lang) -> String {
    let tasks: u32 = pack.levels.iter().map(|level| level.tasks).sum();
    format!(
        "{}: {}@{} ({} {}, {} {}, {} {}, {} {}, {:.2} s)",
        lang.pick("가져옴", "imported"),
        pack.name,
        pack.version,
        tasks,
        lang.pick("과제", "tasks"),
        pack.tools,
        lang.pick("도구", "tools"),
        pack.records,
        lang.pick("기록된 응답", "recorded responses"),
        problems,
        lang.pick("문제", "problems"),
        seconds,
    )
}

fn text(packs: &[PackSummary], output: Output) -> String {
    let lang = output.lang;
    let rows: Vec<Vec<String>> = packs
        .iter()
        .map(|p| {
            let tasks: u32 = p.levels.iter().map(|l| l.tasks).sum();
            let mark = if p.active { "*" } else { "" };
            let sample = if p.sample {
                lang.pick("예시 데이터", "sample data")
            } else {
                ""
            };
            vec![
                mark.to_owned(),
                format!("{}@{}", p.name, p.version),
                tasks.to_string(),
                p.tools.to_string(),
                p.records.to_string(),
                sample.to_owned(),
                p.title.clone(),
            ]
        })
        .collect();
    let header = [
        "",
        lang.pick("팩", "pack"),
        lang.pick("과제", "tasks"),
        lang.pick("도구", "tools"),
        lang.pick("기록", "records"),
        "",
        lang.pick("제목", "title"),
    ];
    columns(&header, &rows)
}

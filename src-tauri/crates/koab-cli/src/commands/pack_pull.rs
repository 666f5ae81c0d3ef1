//! `koab pack pull` and `koab pack published`.

use super::on_ctrl_c;
use super::pack::brought;
use crate::activity_progress;
use crate::args::PackPullArgs;
use crate::lang::Lang;
use crate::output::{Output, columns};
use crate::{Ended, commands::local_models::bytes};
use koab_api::{
    ActivityKind, Api, DriftRow, DriftStanding, PackImport, PackProblem, PackPullRequest, PackPulled,
    PublishedDrift, PublishedSummary, PublishedView, PulledFrom, WireError,
};

/// Letters of an instruction that a table shows.
const SHOWN: usize = 48;

pub(super) async fn pull(api: &Api, args: PackPullArgs, output: Output) -> Result<Ended, WireError> {
    let lang = output.lang;
    let request = PackPullRequest {
        from: args.from,
        archive: args.archive,
        pack: args.pack,
    };
    let cancel = on_ctrl_c();
    let kinds = [ActivityKind::PackPull, ActivityKind::PackImport];
    let pulled = activity_progress::during(api, output, &kinds, api.pack_pull(request, &cancel)).await?;
    if let PackPulled::Pack { imported, .. } | PackPulled::Tasks { imported, .. } = &pulled {
        if args.r#use {
            api.pack_use(&imported.pack.name)?;
        }
        problems(&imported.problems, output);
    } else if args.r#use {
        output.remark(lang.pick(
            "공개된 과제 목록은 실행할 수 없어 사용 중인 팩을 바꾸지 않았습니다",
            "what is published cannot be run; the active pack stays",
        ));
    }
    output.result(&pulled, || match &pulled {
        PackPulled::Pack { from, imported } => came(from, imported, lang),
        PackPulled::Tasks { from, imported, with } => {
            let text = match lang {
                Lang::Ko => format!("도구, 심판 프롬프트, 기록된 응답은 {with} 팩의 것입니다"),
                Lang::En => format!("its tools, judge prompts and recorded responses are those of {with}"),
            };
            format!("{}\n{text}", came(from, imported, lang))
        }
        PackPulled::Published { published, .. } => shown(published, lang),
    });
    if let PackPulled::Published { published, .. } = &pulled {
        problems(&published.problems, output);
    }
    Ok(Ended::Done)
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
        let all = api.published_list()?;
        output.result(&all, || listed(&all, lang));
        return Ok(());
    };
    let (name, commit) = match repo.split_once('@') {
        Some((name, commit)) => (name, Some(commit)),
        None => (repo, None),
    };
    let commit = api.published_commit(name, commit)?;
    if forget {
        let left = api.published_forget(name, &commit)?;
        output.result(&left, || listed(&left, lang));
        return Ok(());
    }
    let view = api.published_view(name, Some(&commit), pack)?;
    problems(&view.problems, output);
    output.result(&view, || shown(&view, lang));
    Ok(())
}

fn problems(all: &[PackProblem], output: Output) {
    let lang = output.lang;
    for problem in all {
        let places = [&problem.file, &problem.task, &problem.field]
            .into_iter()
            .flatten();
        let place: String = places.map(|place| format!("{place}: ")).collect();
        let left_out = match problem.left_out {
            true => lang.pick(" (제외됨)", " (left out)"),
            false => "",
        };
        let why = lang.said(&problem.why);
        output.remark(&format!(
            "{}: {place}{why}{left_out}",
            lang.pick("문제", "problem")
        ));
    }
}

fn came(from: &PulledFrom, imported: &PackImport, lang: Lang) -> String {
    let at = match (&from.commit, &from.sha256) {
        (Some(commit), _) => format!("@{commit}"),
        (None, Some(sha256)) => format!(" (SHA-256 {sha256})"),
        (None, None) => String::new(),
    };
    format!(
        "{}{at}: {} {}, {}\n{}",
        from.name,
        from.files,
        lang.pick("파일", "files"),
        bytes(from.bytes),
        brought(&imported.pack, imported.problems.len(), imported.seconds, lang)
    )
}

fn listed(all: &[PublishedSummary], lang: Lang) -> String {
    if all.is_empty() {
        return lang
            .pick(
                "받은 공개 과제 목록이 없습니다. `koab pack pull REPO`로 받으세요",
                "nothing published was fetched; `koab pack pull REPO` does",
            )
            .to_owned();
    }
    let rows: Vec<Vec<String>> = all
        .iter()
        .map(|one| {
            vec![
                one.repo.clone(),
                one.commit.clone(),
                one.tasks.to_string(),
                one.licence.clone().unwrap_or_else(|| "-".to_owned()),
                one.pulled_at.replace('T', " ").replace('Z', " UTC"),
            ]
        })
        .collect();
    let header = [
        lang.pick("공개된 것", "published"),
        lang.pick("커밋", "commit"),
        lang.pick("과제", "tasks"),
        lang.pick("라이선스", "licence"),
        lang.pick("받은 때", "fetched"),
    ];
    columns(&header, &rows)
}

fn shown(view: &PublishedView, lang: Lang) -> String {
    let one = &view.summary;
    let what = match lang {
        Lang::Ko => format!(
            "공개된 과제 {}개입니다. 지시문과 도구 이름만 있어 실행할 수 없습니다",
            one.tasks
        ),
        Lang::En => format!(
            "{} tasks as they are published, instructions and names of tools only: nothing that can be run",
            one.tasks
        ),
    };
    let head = format!("{}@{}\n{what}\n", one.repo, one.commit);
    match &view.drift {
        None => {
            head + lang.pick(
                "비교할 팩이 설치되어 있지 않습니다",
                "no pack is installed to hold it against",
            )
        }
        Some(drift) => head + &drift_text(drift, lang),
    }
}

fn drift_text(drift: &PublishedDrift, lang: Lang) -> String {
    let against = lang.pick("비교한 팩", "held against");
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
    rows.push(line(lang.pick("모두", "all"), &sum));
    let header = [
        "",
        lang.pick("공개됨", "published"),
        lang.pick("팩", "in pack"),
        standing(DriftStanding::Same, lang),
        standing(DriftStanding::OtherTools, lang),
        standing(DriftStanding::OtherLevel, lang),
        standing(DriftStanding::OnlyPublished, lang),
        standing(DriftStanding::OnlyInPack, lang),
    ];
    let mut text = format!(
        "{against}: {}@{}\n{}",
        drift.pack,
        drift.version,
        columns(&header, &rows)
    );
    let differing: Vec<Vec<String>> = drift
        .rows
        .iter()
        .filter(|row| row.standing != DriftStanding::Same)
        .map(|row| differs(row, lang))
        .collect();
    if !differing.is_empty() {
        let header = [
            "",
            lang.pick("과제", "task"),
            "",
            lang.pick("공개된 도구", "tools published"),
            lang.pick("팩의 도구", "tools in the pack"),
            lang.pick("지시문", "instruction"),
        ];
        text += "\n";
        text += &columns(&header, &differing);
    }
    text
}

fn line(name: &str, counts: &[u32]) -> Vec<String> {
    let counts = counts.iter().map(ToString::to_string);
    std::iter::once(name.to_owned()).chain(counts).collect()
}

fn differs(row: &DriftRow, lang: Lang) -> Vec<String> {
    let tools =
        |tools: &Option<Vec<String>>| tools.as_ref().map_or_else(|| "-".to_owned(), |all| all.join(" "));
    let mut instruction: String = row.instruction.split_whitespace().collect::<Vec<_>>().join(" ");
    if let Some((at, _)) = instruction.char_indices().nth(SHOWN) {
        instruction.truncate(at);
        instruction.push('…');
    }
    vec![
        row.level.to_string(),
        row.task.clone().unwrap_or_else(|| "-".to_owned()),
        standing(row.standing, lang).to_owned(),
        tools(&row.published_tools),
        tools(&row.pack_tools),
        instruction,
    ]
}

fn standing(standing: DriftStanding, lang: Lang) -> &'static str {
    match standing {
        DriftStanding::Same => lang.pick("같음", "same"),
        DriftStanding::OtherTools => lang.pick("도구 다름", "other tools"),
        DriftStanding::OtherLevel => lang.pick("레벨 다름", "other level"),
        DriftStanding::OnlyPublished => lang.pick("공개된 것에만", "only published"),
        DriftStanding::OnlyInPack => lang.pick("팩에만", "only in pack"),
    }
}

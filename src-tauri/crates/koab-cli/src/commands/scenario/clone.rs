//! `koab scenario clone`.

use super::on_ctrl_c;
use crate::Ended;
use crate::args::scenario::ScenarioCloneArgs;
use crate::lang::Lang;
use crate::output::Output;
use koab_api::{Api, CloneRequest, Cloned, WireError};
use serde_json::json;
use std::path::Path;

pub(super) async fn clone(api: &Api, args: ScenarioCloneArgs, output: Output) -> Result<Ended, WireError> {
    let Some(name) = args.name.filter(|_| !args.list) else {
        let names = api.scenario_benchmarks(args.index.as_deref()).await?;
        output.result(&json!({ "benchmarks": names }), || names.join("\n"));
        return Ok(Ended::Done);
    };
    let lang = output.lang;
    let cancel = on_ctrl_c();
    let request = CloneRequest {
        name,
        index: args.index,
        target: args.to,
        force: args.force,
        hosts: args.host,
    };
    let progress = |done: usize, all: usize, file: &str| {
        if !file.is_empty() {
            output.remark(&format!("{}/{all} {file}", done + 1));
        }
    };
    let cloned = api.scenario_clone(&request, &cancel, &progress).await?;
    if !cloned.unverified.is_empty() {
        let count = cloned.unverified.len();
        output.sentence(&match lang {
            Lang::Ko => format!(
                "경고: 파일 {count}개는 매니페스트에 해시가 없어 받은 그대로인지 확인하지 못했습니다. 실행하기 전에 살펴보세요"
            ),
            Lang::En => format!(
                "warning: the manifest has no hash for {count} files, so nothing says that they are what they should be; look at them before you run them"
            ),
        });
    }
    let init = match (&cloned.init_script, args.init) {
        (Some(script), true) => {
            api.scenario_init(
                Path::new(&cloned.folder),
                script,
                args.docker_image.as_deref(),
                &cancel,
                &mut |line| output.remark(&output.lang.said(line)),
            )
            .await?;
            true
        }
        (None, true) => {
            output.sentence(lang.pick(
                "준비 스크립트가 없는 벤치마크라 --init이 할 일이 없습니다",
                "the benchmark has no script to prepare it; there was nothing for --init to do",
            ));
            false
        }
        (_, false) => false,
    };
    output.result(&json!({ "cloned": cloned, "init_run": init }), || {
        said(&cloned, init, lang)
    });
    Ok(Ended::Done)
}

fn said(cloned: &Cloned, init: bool, lang: Lang) -> String {
    let (count, folder) = (cloned.files.len(), &cloned.folder);
    let mut lines = vec![match lang {
        Lang::Ko => format!("파일 {count}개를 {folder}에 받았습니다"),
        Lang::En => format!("{count} files are in {folder}"),
    }];
    if let Some(old) = &cloned.replaced {
        lines.push(format!(
            "{}: {old}",
            lang.pick("전에 있던 폴더", "what was there before")
        ));
    }
    if let (Some(script), false) = (&cloned.init_script, init) {
        lines.push(match lang {
            Lang::Ko => format!(
                "{script}는 실행하지 않았습니다. 내용을 확인한 뒤 그 폴더에서 `python3 {script}`를 실행하거나, --force --init으로 다시 받으면 컨테이너에서 실행합니다"
            ),
            Lang::En => format!(
                "{script} was not run: read it and run `python3 {script}` in that folder, or clone with --force --init to run it in a container"
            ),
        });
    }
    if let Some(readme) = &cloned.readme {
        lines.push(format!("{}: {readme}", lang.pick("먼저 읽을 것", "read first")));
    }
    lines.join("\n")
}

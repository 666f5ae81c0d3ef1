//! Implements `koab scenario clone`.

use crate::CommandEnd;
use crate::args::scenario::ScenarioCloneArgs;
use crate::commands::interrupt::on_ctrl_c;
use crate::output::Output;
use koab_api::{Api, CloneRequest, Cloned, WireError};
use koab_core::sentence::Language;
use koab_core::{say, text};
use serde_json::json;
use std::path::Path;

pub(super) async fn clone(
    api: &Api,
    args: ScenarioCloneArgs,
    output: Output,
) -> Result<CommandEnd, WireError> {
    let Some(name) = args.name.filter(|_| !args.list) else {
        let names = api.scenarios.benchmarks(args.index.as_deref()).await?;
        output.result(&json!({ "benchmarks": names }), || names.join("\n"));
        return Ok(CommandEnd::Done);
    };
    let lang = output.lang;
    let cancel = on_ctrl_c();
    let request =
        CloneRequest { name, index: args.index, target: args.to, force: args.force, hosts: args.host };
    let progress = |done: usize, all: usize, file: &str| {
        if !file.is_empty() {
            output.remark(&format!("{}/{all} {file}", done + 1));
        }
    };
    let cloned = api.scenarios.clone_benchmark(&request, &cancel, &progress).await?;
    if !cloned.unverified.is_empty() {
        let count = cloned.unverified.len();
        output.sentence(&lang.say(&say!("warning: the manifest has no hash for {count} files, so they could not be verified; look at them before you run them")));
    }
    let init = match (&cloned.init_script, args.init) {
        (Some(script), true) => {
            api.scenarios
                .init(Path::new(&cloned.folder), script, args.docker_image.as_deref(), &cancel, &mut |line| {
                    output.remark(&output.lang.say(line))
                })
                .await?;
            true
        }
        (None, true) => {
            output.sentence(lang.text(text!(
                "the benchmark has no script to prepare it; there was nothing for --init to do"
            )));
            false
        }
        (_, false) => false,
    };
    output.result(&json!({ "cloned": cloned, "init_run": init }), || clone_text(&cloned, init, lang));
    Ok(CommandEnd::Done)
}

fn clone_text(cloned: &Cloned, init: bool, lang: Language) -> String {
    let (count, folder) = (cloned.files.len(), &cloned.folder);
    let mut lines = vec![lang.say(&say!("{count} files are in {folder}"))];
    if let Some(old) = &cloned.replaced {
        lines.push(format!("{}: {old}", lang.text(text!("previous folder"))));
    }
    if let (Some(script), false) = (&cloned.init_script, init) {
        lines.push(lang.say(&say!("{script} was not run: read it and run `python3 {script}` in that folder, or clone with --force --init to run it in a container")));
    }
    if let Some(readme) = &cloned.readme {
        lines.push(format!("{}: {readme}", lang.text(text!("read first"))));
    }
    lines.join("\n")
}

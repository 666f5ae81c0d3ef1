//! Implements `koab models pull, add, delete, verify, servers`, and lists the local models for
//! `koab models list`.

use super::interrupt::on_ctrl_c;
use crate::CommandEnd;
use crate::args::models::{DeleteArgs, DeletePart, PullArgs};
use crate::output::{Columns, Output, or_dash};
use crate::pull_progress::PullProgress;
use koab_api::shown::{NONE, bytes};
use koab_api::{
    Api, HubModel, LocalKind, LocalModel, LocalPart, LocalPlace, PullRequest, PullStanding, WireError,
};
use koab_core::sentence::{Language, Sentence};
use koab_core::{say, text};
use serde_json::json;
use std::io::{BufRead as _, IsTerminal as _};
use std::path::Path;

pub(super) async fn pull(api: &Api, args: PullArgs, output: Output) -> Result<CommandEnd, WireError> {
    let lang = output.lang;
    if args.dry_run {
        let model = api.models.hub_model(&args.repo).await?;
        output.result(&model, || offered(&model, lang));
        return Ok(CommandEnd::Done);
    }
    let request = PullRequest {
        repo: args.repo,
        file: args.file,
        quantization: args.quantization,
        include: args.include,
    };
    let cancel = on_ctrl_c();
    let pull = tokio::select! {
        biased;
        () = cancel.cancelled() => return Ok(CommandEnd::Cancelled),
        pull = api.models.pull_start(request) => pull?,
    };
    let missing_bytes = pull.total.saturating_sub(pull.done);
    output.remark(&lang.say(&say!(
        "{repo}: {file}, {files} files, {left} of {total} to fetch",
        repo = pull.repo,
        file = pull.file,
        files = pull.files.1,
        left = bytes(missing_bytes),
        total = bytes(pull.total)
    )));
    let bar = PullProgress::new(output.quiet, lang);
    let show = |state: &_| bar.show(state);
    let waiting = api.models.pull_wait(&pull.id, &show);
    tokio::pin!(waiting);
    let outcome = tokio::select! {
        outcome = &mut waiting => outcome,
        () = cancel.cancelled() => {
            api.models.pull_pause(&pull.id)?;
            waiting.await
        }
    };
    bar.finish();
    let outcome = outcome?;
    if let Some(error) = outcome.error {
        return Err(error);
    }
    if outcome.standing == PullStanding::Paused {
        output.sentence(&lang.say(&say!(
            "stopped; the {done} fetched so far are kept, and the same command continues from there",
            done = bytes(outcome.done)
        )));
        return Ok(CommandEnd::Cancelled);
    }
    let models = api.models.local_list()?.models;
    let ours = |model: &&LocalModel| {
        model.name == outcome.repo || model.name.starts_with(&format!("{}/", outcome.repo))
    };
    let models: Vec<&LocalModel> = models.iter().filter(ours).collect();
    output.result(&json!({ "pulled": outcome, "models": models }), || {
        let ids: Vec<&str> = models.iter().map(|model| model.id.as_str()).collect();
        lang.say(&say!(
            "{repo} is fetched and verified; its model id: {ids}",
            repo = outcome.repo,
            ids = ids.join(", ")
        ))
    });
    Ok(CommandEnd::Done)
}

pub(super) fn add(api: &Api, path: &Path, output: Output) -> Result<CommandEnd, WireError> {
    let model = api.models.local_add(path)?;
    output.result(&model, || {
        output.lang.say(&say!("{path} was added as a model: {id}", path = model.path, id = model.id))
    });
    Ok(CommandEnd::Done)
}

pub(super) fn delete(api: &Api, args: &DeleteArgs, output: Output) -> Result<CommandEnd, WireError> {
    let part = match (args.only, &args.precision) {
        (DeletePart::All, None) => LocalPart::Everything,
        (DeletePart::Source, None) => LocalPart::Source,
        (DeletePart::Conversions | DeletePart::All, precision) => {
            LocalPart::Conversions { precision: precision.clone() }
        }
        (DeletePart::Source, Some(_)) => {
            return Err(WireError::bad_request(say!(
                "only conversions have a precision; leave --only source out"
            )));
        }
    };
    let lang = output.lang;
    let removal = api.models.local_removal(&args.name, &part)?;
    let frees = bytes(removal.frees);
    let name = &removal.name;
    let what = match &removal.stays {
        Some(path) => say!("{name}: only the entry is removed, {path} stays ({frees} freed)"),
        None => say!("{name}: frees {frees}"),
    };
    if !args.yes && !confirmed(&what, output)? {
        return Ok(CommandEnd::Cancelled);
    }
    let removed = api.models.local_delete(&args.name, &part)?;
    output.result(&removed, || format!("{}: {}", lang.say(&what), lang.text(text!("done", "a deletion"))));
    Ok(CommandEnd::Done)
}

/// Asks for confirmation on the terminal. Without a terminal `--yes` is required.
pub(crate) fn confirmed(what: &Sentence, output: Output) -> Result<bool, WireError> {
    if !std::io::stdin().is_terminal() {
        return Err(WireError::bad_request(say!("{what}; confirm with --yes")));
    }
    output.sentence(&output.lang.say(&say!("{what}. Delete it? [y/N]")));
    let mut answer = String::new();
    std::io::stdin().lock().read_line(&mut answer).map_err(WireError::storage)?;
    Ok(["y", "yes", "예", "네"].contains(&answer.trim().to_lowercase().as_str()))
}

pub(super) async fn verify(api: &Api, name: &str, output: Output) -> Result<CommandEnd, WireError> {
    let lang = output.lang;
    let verification = api.models.local_verify(name).await?;
    output.result(&verification, || {
        let mut text = lang.say(&say!(
            "{name}: {sound} files match the hashes of the hub",
            name = verification.name,
            sound = verification.sound
        ));
        if verification.unknown > 0 {
            text += &lang.say(&say!(", {unknown} without a hash", unknown = verification.unknown));
        }
        if !verification.wrong.is_empty() {
            let words = lang.text(text!("damaged (delete the model and fetch it again)"));
            text += &format!("\n{words}: {}", verification.wrong.join(", "));
        }
        text
    });
    Ok(if verification.wrong.is_empty() { CommandEnd::Done } else { CommandEnd::NotDone })
}

pub(super) async fn servers(api: &Api, at: &[String], output: Output) -> Result<CommandEnd, WireError> {
    let servers = api.models.servers_find(at).await?;
    let lang = output.lang;
    output.result(&servers, || {
        if servers.is_empty() {
            return lang
                .text(text!("no model server answers on this machine (vLLM 8000, Ollama 11434, LM Studio 1234, llama-server 8080)"))
                .to_owned();
        }
        Columns::new(&servers, lang)
            .column(text!("server"), |server| &server.provider)
            .id(text!("address"), |server| &server.base_url)
            .prose(text!("models"), |server| match (server.models.is_empty(), server.wants_key) {
                (false, _) => server.models.join(", "),
                (true, true) => lang.text(text!("needs a key")).to_owned(),
                (true, false) => lang.text(text!("no models")).to_owned(),
            })
            .text()
    });
    let is_found = |address: &String| servers.iter().any(|server| server.base_url == *address);
    if at.is_empty() || at.iter().any(is_found) {
        return Ok(CommandEnd::Done);
    }
    // No server at the usual ports is a valid result. No server at an address that the user gave is
    // a failure.
    let addresses = at.join(", ");
    output
        .sentence(&lang.say(&say!("no model server answers at {addresses}; start it, or check the address")));
    Ok(CommandEnd::NotDone)
}

/// Table of the models on the disk of this computer; empty without models.
pub(super) fn listed(models: &[LocalModel], lang: Language) -> String {
    if models.is_empty() {
        return String::new();
    }

    Columns::new(models.iter(), lang)
        .column(text!("on this disk"), |model| &model.id)
        .column(text!("kind"), |model| match (model.kind, model.place) {
            (LocalKind::Safetensors, _) => "safetensors",
            (LocalKind::Gguf, LocalPlace::Converted) => lang.text(text!("converted")),
            (LocalKind::Gguf, _) => "GGUF",
        })
        .column(text!("size"), |model| {
            bytes(model.bytes + model.conversions.iter().map(|one| one.bytes).sum::<u64>())
        })
        .column(text!("parameters"), |model| or_dash(model.parameters.map(parameters)))
        .column(text!("context"), |model| or_dash(model.context))
        .column(text!("precision"), |model| {
            let precisions: Vec<&str> = match model.kind {
                LocalKind::Gguf => model.quantization.as_deref().into_iter().collect(),
                LocalKind::Safetensors => {
                    model.conversions.iter().map(|one| one.precision.as_str()).collect()
                }
            };
            precisions.join(", ")
        })
        .column(text!("licence"), |model| model.licence.as_deref().unwrap_or(NONE))
        .prose("", |model| model.problem.as_ref().map(|problem| lang.say(problem)).unwrap_or_default())
        .text()
        + "\n"
}

fn offered(model: &HubModel, lang: Language) -> String {
    let mut lines = vec![format!(
        "{}@{}\n{}: {}{}",
        model.repo,
        model.commit,
        lang.text(text!("licence")),
        model.licence.as_deref().unwrap_or(NONE),
        if model.gated {
            format!(" ({} {})", lang.text(text!("terms have to be accepted:")), model.page)
        } else {
            String::new()
        }
    )];
    lines.extend(model.problem.as_ref().map(|problem| lang.say(problem)));
    if !model.offers.is_empty() {
        let table = Columns::new(&model.offers, lang)
            .column("--file", |offer| &offer.file)
            .column("--quantization", |offer| match (&offer.quantization, offer.kind) {
                (Some(quantization), _) => quantization,
                (None, LocalKind::Safetensors) => "safetensors",
                (None, LocalKind::Gguf) => "GGUF",
            })
            .column(text!("size"), |offer| bytes(offer.bytes))
            .column(text!("to fetch"), |offer| bytes(offer.missing));
        lines.push(table.text());
    }
    lines.join("\n")
}

fn parameters(count: u64) -> String {
    match count as f64 {
        count if count >= 1e9 => format!("{:.1}B", count / 1e9),
        count if count >= 1e6 => format!("{:.1}M", count / 1e6),
        count => format!("{:.0}k", count / 1e3),
    }
}

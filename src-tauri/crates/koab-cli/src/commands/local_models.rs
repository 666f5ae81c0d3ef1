//! `koab models pull, add, delete, verify, servers`, and the models on this disk in `koab models list`.

use super::on_ctrl_c;
use crate::Ended;
use crate::args::models::{DeleteArgs, DeletePart, PullArgs};
use crate::lang::Lang;
use crate::output::{Output, columns};
use crate::pull_progress::PullProgress;
use koab_api::{
    Api, HubModel, LocalKind, LocalModel, LocalPart, LocalPlace, PullRequest, PullStanding, WireError,
};
use serde_json::json;
use std::io::{BufRead as _, IsTerminal as _};
use std::path::Path;

pub(super) async fn pull(api: &Api, args: PullArgs, output: Output) -> Result<Ended, WireError> {
    let lang = output.lang;
    if args.dry_run {
        let model = api.hub_model(&args.repo).await?;
        output.result(&model, || offered(&model, lang));
        return Ok(Ended::Done);
    }
    let request = PullRequest {
        repo: args.repo,
        file: args.file,
        quantization: args.quantization,
        include: args.include,
    };
    let cancel = on_ctrl_c();
    let begun = tokio::select! {
        biased;
        () = cancel.cancelled() => return Ok(Ended::Cancelled),
        begun = api.pull_start(request) => begun?,
    };
    let left = begun.total.saturating_sub(begun.done);
    output.remark(&match lang {
        Lang::Ko => format!(
            "{}: {}, 파일 {}개, {} 중 남은 것 {}",
            begun.repo,
            begun.file,
            begun.files.1,
            bytes(begun.total),
            bytes(left)
        ),
        Lang::En => format!(
            "{}: {}, {} files, {} of {} to fetch",
            begun.repo,
            begun.file,
            begun.files.1,
            bytes(left),
            bytes(begun.total)
        ),
    });
    let bar = PullProgress::new(output.quiet, lang);
    let told = |state: &_| bar.told(state);
    let waiting = api.pull_wait(&begun.id, &told);
    tokio::pin!(waiting);
    let ended = tokio::select! {
        ended = &mut waiting => ended,
        () = cancel.cancelled() => {
            api.pull_pause(&begun.id)?;
            waiting.await
        }
    };
    bar.finish();
    let ended = ended?;
    if let Some(error) = ended.error {
        return Err(error);
    }
    if ended.standing == PullStanding::Paused {
        output.sentence(&match lang {
            Lang::Ko => format!(
                "멈췄습니다. 받은 {}는 남아 있으며, 같은 명령으로 이어서 받습니다",
                bytes(ended.done)
            ),
            Lang::En => format!(
                "stopped; the {} that came are kept, and the same command goes on from there",
                bytes(ended.done)
            ),
        });
        return Ok(Ended::Cancelled);
    }
    let models = api.local_list()?.models;
    let ours =
        |model: &&LocalModel| model.name == ended.repo || model.name.starts_with(&format!("{}/", ended.repo));
    let models: Vec<&LocalModel> = models.iter().filter(ours).collect();
    output.result(&json!({ "pulled": ended, "models": models }), || {
        let text = lang.pick("받았습니다. 모델 이름", "fetched and verified; its model id");
        let ids: Vec<&str> = models.iter().map(|model| model.id.as_str()).collect();
        format!("{}: {text}: {}", ended.repo, ids.join(", "))
    });
    Ok(Ended::Done)
}

pub(super) fn add(api: &Api, path: &Path, output: Output) -> Result<Ended, WireError> {
    let model = api.local_add(path)?;
    output.result(&model, || {
        let text = output.lang.pick("모델로 등록했습니다", "is a model now");
        format!("{}: {text}: {}", model.path, model.id)
    });
    Ok(Ended::Done)
}

pub(super) fn delete(api: &Api, args: &DeleteArgs, output: Output) -> Result<Ended, WireError> {
    let part = match (args.only, &args.precision) {
        (DeletePart::All, None) => LocalPart::Everything,
        (DeletePart::Source, None) => LocalPart::Source,
        (DeletePart::Conversions | DeletePart::All, precision) => LocalPart::Conversions {
            precision: precision.clone(),
        },
        (DeletePart::Source, Some(_)) => {
            return Err(WireError::bad_request(
                "a precision is one of conversions; leave --only source out",
            ));
        }
    };
    let lang = output.lang;
    let removal = api.local_removal(&args.name, &part)?;
    let frees = bytes(removal.frees);
    let what = match (&removal.stays, lang) {
        (Some(path), Lang::Ko) => format!(
            "{}: 등록만 지우며 {path}은(는) 그대로 둡니다 ({frees} 확보)",
            removal.name
        ),
        (Some(path), Lang::En) => format!("{}: is forgotten, {path} stays ({frees} freed)", removal.name),
        (None, Lang::Ko) => format!("{}: 디스크 {frees}를 비웁니다", removal.name),
        (None, Lang::En) => format!("{}: frees {frees}", removal.name),
    };
    if !args.yes && !confirmed(&what, output)? {
        return Ok(Ended::Cancelled);
    }
    let removed = api.local_delete(&args.name, &part)?;
    output.result(&removed, || {
        format!("{what}: {}", lang.pick("지웠습니다", "done"))
    });
    Ok(Ended::Done)
}

/// Asks on the terminal; without one somebody has to have said it before.
pub(crate) fn confirmed(what: &str, output: Output) -> Result<bool, WireError> {
    if !std::io::stdin().is_terminal() {
        return Err(WireError::bad_request(format!("{what}; say --yes to delete it")));
    }
    output.sentence(&format!(
        "{what}. {}",
        output.lang.pick("지울까요? [y/N]", "Delete it? [y/N]")
    ));
    let mut answer = String::new();
    std::io::stdin()
        .lock()
        .read_line(&mut answer)
        .map_err(WireError::storage)?;
    Ok(["y", "yes", "예", "네"].contains(&answer.trim().to_lowercase().as_str()))
}

pub(super) async fn verify(api: &Api, name: &str, output: Output) -> Result<Ended, WireError> {
    let lang = output.lang;
    let found = api.local_verify(name).await?;
    output.result(&found, || {
        let mut text = match lang {
            Lang::Ko => format!("{}: 파일 {}개가 해시와 맞습니다", found.name, found.sound),
            Lang::En => format!("{}: {} files are what the hub promised", found.name, found.sound),
        };
        if found.unknown > 0 {
            text += &match lang {
                Lang::Ko => format!(", 해시가 없는 파일 {}개", found.unknown),
                Lang::En => format!(", {} without a hash", found.unknown),
            };
        }
        if !found.wrong.is_empty() {
            let words = lang.pick(
                "손상됨 (지우고 다시 받으세요)",
                "damaged (delete the model and fetch it again)",
            );
            text += &format!("\n{words}: {}", found.wrong.join(", "));
        }
        text
    });
    Ok(if found.wrong.is_empty() {
        Ended::Done
    } else {
        Ended::NotDone
    })
}

pub(super) async fn servers(api: &Api, at: &[String], output: Output) -> Result<Ended, WireError> {
    let servers = api.servers_find(at).await?;
    let lang = output.lang;
    output.result(&servers, || {
        if servers.is_empty() {
            return lang
                .pick(
                    "이 컴퓨터에서 응답하는 모델 서버가 없습니다 (vLLM 8000, Ollama 11434, LM Studio 1234, llama-server 8080)",
                    "no model server answers on this machine (vLLM 8000, Ollama 11434, LM Studio 1234, llama-server 8080)",
                )
                .to_owned();
        }
        let rows: Vec<Vec<String>> = servers
            .iter()
            .map(|server| {
                let models = match (server.models.is_empty(), server.wants_key) {
                    (false, _) => server.models.join(", "),
                    (true, true) => lang.pick("키가 필요함", "wants a key").to_owned(),
                    (true, false) => lang.pick("모델 없음", "no models").to_owned(),
                };
                vec![server.provider.clone(), server.base_url.clone(), models]
            })
            .collect();
        columns(&[lang.pick("서버", "server"), lang.pick("주소", "address"), lang.pick("모델", "models")], &rows)
    });
    Ok(Ended::Done)
}

/// The models on this disk as a table; empty when there is none.
pub(super) fn listed(models: &[LocalModel], lang: Lang) -> String {
    if models.is_empty() {
        return String::new();
    }
    let rows: Vec<Vec<String>> = models
        .iter()
        .map(|model| {
            let precisions: Vec<&str> = match model.kind {
                LocalKind::Gguf => model.quantization.as_deref().into_iter().collect(),
                LocalKind::Safetensors => model
                    .conversions
                    .iter()
                    .map(|one| one.precision.as_str())
                    .collect(),
            };
            let all = model.bytes + model.conversions.iter().map(|one| one.bytes).sum::<u64>();
            let kind = match (model.kind, model.place) {
                (LocalKind::Safetensors, _) => "safetensors",
                (LocalKind::Gguf, LocalPlace::Converted) => lang.pick("변환됨", "converted"),
                (LocalKind::Gguf, _) => "GGUF",
            };
            vec![
                model.id.clone(),
                kind.to_owned(),
                bytes(all),
                model.parameters.map_or_else(|| "-".to_owned(), parameters),
                model
                    .context
                    .map_or_else(|| "-".to_owned(), |context| context.to_string()),
                precisions.join(", "),
                model.licence.clone().unwrap_or_else(|| "-".to_owned()),
                model.problem.clone().unwrap_or_default(),
            ]
        })
        .collect();
    let header = [
        lang.pick("이 컴퓨터의 모델", "on this disk"),
        lang.pick("형식", "kind"),
        lang.pick("크기", "size"),
        lang.pick("매개변수", "parameters"),
        lang.pick("문맥", "context"),
        lang.pick("정밀도", "precision"),
        lang.pick("라이선스", "licence"),
        "",
    ];
    columns(&header, &rows) + "\n"
}

fn offered(model: &HubModel, lang: Lang) -> String {
    let mut lines = vec![format!(
        "{}@{}\n{}: {}{}",
        model.repo,
        model.commit,
        lang.pick("라이선스", "licence"),
        model.licence.as_deref().unwrap_or("-"),
        if model.gated {
            format!(
                " ({} {})",
                lang.pick("조건 동의 필요:", "terms have to be accepted:"),
                model.page
            )
        } else {
            String::new()
        }
    )];
    lines.extend(model.problem.clone());
    let rows: Vec<Vec<String>> = model
        .offers
        .iter()
        .map(|offer| {
            let kind = match offer.kind {
                LocalKind::Safetensors => "safetensors",
                LocalKind::Gguf => "GGUF",
            };
            vec![
                offer.file.clone(),
                offer.quantization.clone().unwrap_or_else(|| kind.to_owned()),
                bytes(offer.bytes),
                bytes(offer.missing),
            ]
        })
        .collect();
    if !rows.is_empty() {
        let header = [
            "--file",
            "--quantization",
            lang.pick("크기", "size"),
            lang.pick("받을 것", "to fetch"),
        ];
        lines.push(columns(&header, &rows));
    }
    lines.join("\n")
}

/// Bytes in words.
pub(crate) fn bytes(count: u64) -> String {
    let units = [(1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB")];
    match units.into_iter().find(|(size, _)| count as f64 >= *size) {
        Some((size, unit)) => format!("{:.1} {unit}", count as f64 / size),
        None => format!("{count} B"),
    }
}

fn parameters(count: u64) -> String {
    match count as f64 {
        count if count >= 1e9 => format!("{:.1}B", count / 1e9),
        count if count >= 1e6 => format!("{:.1}M", count / 1e6),
        count => format!("{:.0}k", count / 1e3),
    }
}

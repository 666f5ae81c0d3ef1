//! `koab models`.

use super::{local_models, model_doctor};
use crate::Ended;
use crate::args::models::ModelsCommand;
use crate::output::{Output, columns};
use koab_api::{Api, KeyNeed, ModelKind, WireError};
use serde_json::json;

pub(crate) async fn models(api: &Api, command: ModelsCommand, output: Output) -> Result<Ended, WireError> {
    match command {
        ModelsCommand::List => list(api, output).await,
        ModelsCommand::Pull(args) => local_models::pull(api, args, output).await,
        ModelsCommand::Add { path } => local_models::add(api, &path, output),
        ModelsCommand::Delete(args) => local_models::delete(api, &args, output),
        ModelsCommand::Verify { name } => local_models::verify(api, &name, output).await,
        ModelsCommand::Doctor(args) => model_doctor::doctor(api, &args, output).await,
        ModelsCommand::Servers { at } => local_models::servers(api, &at, output).await,
        ModelsCommand::Prices { edit } => prices(api, edit, output),
    }
}

async fn list(api: &Api, output: Output) -> Result<Ended, WireError> {
    let models = api.models_list().await?;
    // A build without local models still lists the others.
    let local = api.local_list().ok();
    let on_disk = local.as_ref().map_or(&[][..], |local| &local.models);
    output.result(&json!({ "models": models, "local": local }), || {
        let lang = output.lang;
        let on_disk = local_models::listed(on_disk, lang);
        let rows: Vec<Vec<String>> = models
            .iter()
            .map(|m| {
                let (id, kind) = match m.kind {
                    ModelKind::Local => (m.id.clone(), lang.pick("이 프로그램 안", "in this program")),
                    ModelKind::Baseline => (m.id.clone(), lang.pick("내장 모델", "built in")),
                    ModelKind::Server => (format!("{}<model>", m.id), lang.pick("서버", "server")),
                };
                let url = match &m.default_base_url {
                    Some(url) => url.as_str(),
                    None if m.needs_base_url => "--base-url",
                    None if m.kind == ModelKind::Server => lang.pick("설정에 따름", "from settings"),
                    None => "",
                };
                let needs: Vec<String> = m.needs.iter().map(|need| needed(need, output)).collect();
                vec![id, kind.to_owned(), url.to_owned(), needs.join(", ")]
            })
            .collect();
        on_disk
            + &columns(
                &[
                    lang.pick("모델", "model"),
                    lang.pick("종류", "kind"),
                    lang.pick("주소", "address"),
                    lang.pick("필요한 키와 설정", "needs"),
                ],
                &rows,
            )
    });
    Ok(Ended::Done)
}

/// The names of one need, and whether it is met.
fn needed(need: &KeyNeed, output: Output) -> String {
    let names = need.any_of.join(output.lang.pick(" 또는 ", " or "));
    let state = if need.present {
        output.lang.pick("있음", "present")
    } else {
        output.lang.pick("없음", "missing")
    };
    format!("{names} ({state})")
}

fn prices(api: &Api, edit: bool, output: Output) -> Result<Ended, WireError> {
    let lang = output.lang;
    if edit {
        let path = api.prices_copy()?;
        output.result(&json!({ "file": path }), || {
            let text = lang.pick("이 파일을 고치세요", "edit this file");
            format!("{text}: {}", path.display())
        });
        return Ok(Ended::Done);
    }
    let prices = api.prices()?;
    output.result(&prices, || {
        let rows: Vec<Vec<String>> = prices
            .iter()
            .map(|row| {
                let from = match (&row.source, row.own) {
                    (None, true) => "prices.json",
                    (Some(source), _) => source,
                    (None, false) => lang.pick("기본값", "default"),
                };
                let from = if row.unconfirmed {
                    format!("{}: {from}", lang.pick("확인 안 됨", "unconfirmed"))
                } else {
                    from.to_owned()
                };
                vec![
                    row.model.clone(),
                    row.input.to_string(),
                    row.output.to_string(),
                    row.as_of.clone(),
                    from,
                ]
            })
            .collect();
        let header = [
            lang.pick("모델", "model"),
            lang.pick("입력 $/M", "input $/M"),
            lang.pick("출력 $/M", "output $/M"),
            lang.pick("기준일", "as of"),
            lang.pick("출처", "from"),
        ];
        columns(&header, &rows)
    });
    Ok(Ended::Done)
}

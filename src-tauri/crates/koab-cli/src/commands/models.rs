//! Implements `koab models`.

use super::{connection_check, connections, local_models, model_doctor};
use crate::CommandEnd;
use crate::args::models::ModelsCommand;
use crate::output::{Columns, Output};
use koab_api::{Api, KeyNeed, ModelKind, WireError};
use koab_core::text;
use serde_json::json;

pub(crate) async fn models(
    api: &Api,
    command: ModelsCommand,
    output: Output,
) -> Result<CommandEnd, WireError> {
    match command {
        ModelsCommand::List => list(api, output).await,
        ModelsCommand::Pull(args) => local_models::pull(api, args, output).await,
        ModelsCommand::Add { path } => local_models::add(api, &path, output),
        ModelsCommand::Delete(args) => local_models::delete(api, &args, output),
        ModelsCommand::Verify { name } => local_models::verify(api, &name, output).await,
        ModelsCommand::Doctor(args) => model_doctor::doctor(api, &args, output).await,
        ModelsCommand::Servers { at } => local_models::servers(api, &at, output).await,
        ModelsCommand::Connections => connections::list(api, output),
        ModelsCommand::Check { names } => connection_check::check(api, names, output).await,
        ModelsCommand::Connect(args) => connections::connect(api, args, output).await,
        ModelsCommand::Disconnect { name } => connections::disconnect(api, &name, output),
        ModelsCommand::Probe { model, base_url } => {
            connections::probe(api, &model, base_url.as_deref(), output).await
        }
        ModelsCommand::Prices { edit } => prices(api, edit, output),
    }
}

async fn list(api: &Api, output: Output) -> Result<CommandEnd, WireError> {
    let models = api.models.list().await?;
    // A build without local models still lists the others.
    let local = api.models.local_list().ok();
    let on_disk = local.as_ref().map_or(&[][..], |local| &local.models);
    output.result(&json!({ "models": models, "local": local }), || {
        let lang = output.lang;
        let on_disk = local_models::listed(on_disk, lang);
        let table = Columns::new(&models, lang)
            .id(text!("model"), |m| match m.kind {
                ModelKind::Server => format!("{}<model>", m.id),
                ModelKind::Local | ModelKind::Baseline => m.id.clone(),
            })
            .column(text!("kind"), |m| match m.kind {
                ModelKind::Local => lang.text(text!("in this program")),
                ModelKind::Baseline => lang.text(text!("built in")),
                ModelKind::Server => lang.text(text!("server")),
            })
            .prose(text!("address"), |m| match &m.default_base_url {
                Some(url) => url.as_str(),
                None if m.needs_base_url => "--base-url",
                None if m.kind == ModelKind::Server => lang.text(text!("from settings")),
                None => "",
            })
            .id(text!("needs"), |m| {
                let needs: Vec<String> = m.needs.iter().map(|need| needed(need, output)).collect();
                needs.join(", ")
            });
        on_disk + &table.text()
    });
    Ok(CommandEnd::Done)
}

/// Names of the keys that a provider accepts, and whether one of them is present.
fn needed(need: &KeyNeed, output: Output) -> String {
    let names = need.any_of.join(output.lang.text(text!(" or ")));
    let state =
        if need.present { output.lang.text(text!("present")) } else { output.lang.text(text!("missing")) };
    format!("{names} ({state})")
}

fn prices(api: &Api, edit: bool, output: Output) -> Result<CommandEnd, WireError> {
    let lang = output.lang;
    if edit {
        let path = api.models.prices_copy()?;
        output.result(&json!({ "file": path }), || {
            let text = lang.text(text!("edit this file"));
            format!("{text}: {}", path.display())
        });
        return Ok(CommandEnd::Done);
    }
    let prices = api.models.prices()?;
    output.result(&prices, || {
        Columns::new(&prices, lang)
            .column(text!("model"), |row| &row.model)
            .column(text!("input $/M"), |row| row.input)
            .column(text!("output $/M"), |row| row.output)
            .column(text!("as of"), |row| &row.as_of)
            .prose(text!("from"), |row| {
                let from = match (&row.source, row.own) {
                    (None, true) => "prices.json",
                    (Some(source), _) => source,
                    (None, false) => lang.text(text!("default")),
                };
                if row.unconfirmed {
                    format!("{}: {from}", lang.text(text!("unconfirmed")))
                } else {
                    from.to_owned()
                }
            })
            .text()
    });
    Ok(CommandEnd::Done)
}

//! Implements `koab models connections, connect, disconnect, probe`.

use crate::CommandEnd;
use crate::args::models::ConnectArgs;
use crate::output::{Columns, Output};
use koab_api::{Api, Connection, WireError};
use koab_core::{say, text};

pub(crate) fn list(api: &Api, output: Output) -> Result<CommandEnd, WireError> {
    let connections = api.models.connections()?;
    output.result(&connections, || {
        let lang = output.lang;
        if connections.is_empty() {
            return lang.text(text!("no connections; make one with `koab models connect`")).to_owned();
        }
        Columns::new(&connections, lang)
            .column(text!("name"), |one| &one.name)
            .column(text!("provider"), |one| &one.provider)
            .column(text!("address"), |one| match &one.base_url {
                Some(url) => url.as_str(),
                None => lang.text(text!("the provider's own")),
            })
            .column(text!("models"), |one| one.models.join(", "))
            .text()
    });
    Ok(CommandEnd::Done)
}

pub(crate) async fn connect(api: &Api, args: ConnectArgs, output: Output) -> Result<CommandEnd, WireError> {
    let models = if args.model.is_empty() {
        api.models.models_at(&args.provider, args.base_url.as_deref()).await?.unwrap_or_default()
    } else {
        args.model
    };
    let connection = api.models.connect(Connection {
        name: args.name,
        provider: args.provider,
        base_url: args.base_url,
        models,
    })?;
    output.result(&connection, || {
        let lang = output.lang;
        match connection.models.first() {
            Some(model) => lang.say(&say!(
                "{} is connected, with {} models; run one with `koab run --model {}/{model}`",
                connection.name,
                connection.models.len(),
                connection.name
            )),
            None => lang.say(&say!(
                "{} is connected; its server lists no models: name one after {}/",
                connection.name,
                connection.name
            )),
        }
    });
    Ok(CommandEnd::Done)
}

pub(crate) fn disconnect(api: &Api, name: &str, output: Output) -> Result<CommandEnd, WireError> {
    let judges = api.models.disconnect(name)?;
    output.result(&serde_json::json!({ "disconnected": name, "judges": judges }), || {
        let lang = output.lang;
        match judges.as_slice() {
            [] => lang.say(&say!("the connection {name} was removed")),
            judges => lang.say(&say!(
                "the connection {name} was removed; no longer a default judge: {}",
                judges.join(", ")
            )),
        }
    });
    Ok(CommandEnd::Done)
}

pub(crate) async fn probe(
    api: &Api,
    model: &str,
    base_url: Option<&str>,
    output: Output,
) -> Result<CommandEnd, WireError> {
    let probe = api.models.model_probe(model, base_url).await?;
    output.result(&probe, || {
        let (lang, seconds) = (output.lang, format!("{:.1}", probe.seconds));
        if probe.called {
            lang.say(&say!("{model} calls tools ({seconds} s)"))
        } else {
            lang.say(&say!(
                "{model} answered in {seconds} s but called no tool; a server may need an option for tool calls"
            ))
        }
    });
    Ok(if probe.called { CommandEnd::Done } else { CommandEnd::NotDone })
}

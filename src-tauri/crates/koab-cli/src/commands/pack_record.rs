//! Implements `koab pack record`, `koab pack replay`, and `koab cache drift` of a recorded server.

use super::interrupt;
use crate::CommandEnd;
use crate::args::recorder::{PackRecordArgs, PackReplayArgs, ServerAtArgs};
use crate::args::snapshot::DriftArgs;
use crate::output::{Columns, Output};
use koab_api::{
    AnswerNow, Api, DriftRequest, LiveServer, OnMiss, RecordOutcome, RecordRequest, RecordingEvent,
    ReplayOptions, ServerAt, ServerDrift, ToolChange, ToolChangeKind, WireError, unsteady,
};
use koab_core::sentence::Language;
use koab_core::{say, text, text_file};
use koab_mcp::stdio;
use std::io::Read as _;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// Maximum length of a call's arguments in a line, in characters.
const MAX_ARGUMENT_CHARS: usize = 120;

pub(crate) async fn record(api: &Api, args: PackRecordArgs, output: Output) -> Result<CommandEnd, WireError> {
    let ignore = args.ignore.iter().map(|text| ignored(text)).collect::<Result<_, _>>()?;
    let request = RecordRequest {
        name: args.name,
        server: server(&args.server.at)?,
        env: args.server.at.env.clone(),
        mask: args.mask,
        work: args.server.work.clone(),
        ignore,
        limit: limit(&args.server.at),
        heard: None,
        update: false,
    };
    let stop = interrupt::on_end();
    let recorder = &api.recorder;
    if let Some(file) = &args.calls {
        let name = file.display().to_string();
        let calls = read(file)?;
        let done = recorder.record_calls(request, (&calls, &name), args.twice, &stop).await?;
        output.result(&done, || text(&done, output.lang));
        return Ok(end(&done));
    }
    let done = match args.listen {
        Some(address) => {
            let listening = |url: &str| {
                output.remark(&output.lang.say(&say!("recording at {url}; end it with Ctrl-C")));
            };
            recorder.record_listening(request, address, listening, &stop).await?
        }
        None => {
            let (mut input, mut to) = stdio::streams();
            recorder.record_between(request, &mut input, &mut to, &stop).await?
        }
    };
    // Standard output belongs to the client, where every line is a message.
    match args.listen {
        Some(_) => output.result(&done, || text(&done, output.lang)),
        None => output.remark(&text(&done, output.lang)),
    }
    Ok(end(&done))
}

pub(crate) async fn replay(api: &Api, args: PackReplayArgs, output: Output) -> Result<CommandEnd, WireError> {
    let options = ReplayOptions {
        strict_order: args.strict_order,
        work: args.work.as_deref().map(absolute).transpose()?,
        live: live(&args, output)?,
    };
    let lang = output.lang;
    let on_miss: OnMiss = Arc::new(move |miss| {
        let (tool, arguments) = (&miss.tool, cut(&miss.arguments));
        let note = match &miss.nearest {
            Some(nearest) => say!(
                "not recorded: {tool} {arguments}; the nearest recorded call is {}, another {}",
                cut(nearest),
                miss.differing.join(", ")
            ),
            None => say!("not recorded: {tool} {arguments}; no call of this tool is"),
        };
        output.remark(&lang.say(&note));
    });
    match args.listen {
        Some(address) => {
            let listening = |url: &str| {
                output.remark(&lang.say(&say!("answering at {url}; end it with Ctrl-C")));
            };
            let stop = interrupt::on_end();
            api.recorder.replay_listening(&args.name, options, on_miss, (address, listening), &stop).await?;
        }
        None => {
            let (mut input, mut to) = stdio::streams();
            api.recorder.replay_between(&args.name, options, on_miss, &mut input, &mut to).await?;
        }
    }
    Ok(CommandEnd::Done)
}

/// Compares a recorded pack with its server. The command fails if the two are not compatible.
pub(crate) async fn drift(api: &Api, args: DriftArgs, output: Output) -> Result<CommandEnd, WireError> {
    let drift = api
        .recorder
        .drift(DriftRequest {
            pack: args.of,
            server: server(&args.server.at)?,
            env: args.server.at.env.clone(),
            work: args.server.work.as_deref().map(absolute).transpose()?,
            limit: limit(&args.server.at),
            update: args.update,
        })
        .await?;
    output.result(&drift, || differences(&drift, args.all, output.lang));
    Ok(if drift.compatible { CommandEnd::Done } else { CommandEnd::NotDone })
}

/// The server for calls that the recording does not contain; `None` without `--live`.
fn live(args: &PackReplayArgs, output: Output) -> Result<Option<LiveServer>, WireError> {
    let at = &args.server;
    if args.live {
        let lang = output.lang;
        return Ok(Some(LiveServer {
            server: server(at)?,
            env: at.env.clone(),
            limit: limit(at),
            heard: Arc::new(move |heard| {
                if let RecordingEvent::Remark(remark) = heard {
                    output.remark(&lang.say(remark));
                }
            }),
        }));
    }
    if at.url.is_some() || !at.command.is_empty() {
        return Err(WireError::bad_request(say!(
            "a replay calls no server; add --live to send calls that are not recorded to this one"
        )));
    }
    Ok(None)
}

fn limit(args: &ServerAtArgs) -> Duration {
    Duration::from_secs(args.timeout.max(1))
}

fn server(args: &ServerAtArgs) -> Result<ServerAt, WireError> {
    match &args.url {
        Some(url) => Ok(ServerAt::Url { url: url.clone(), header_env: args.header_env.clone() }),
        None if args.command.is_empty() => Err(WireError::bad_request(say!(
            "name the server: a command behind --, or an address with --url"
        ))),
        None => Ok(ServerAt::Command(args.command.clone())),
    }
}

fn ignored(text: &str) -> Result<(String, String), WireError> {
    match text.split_once(':') {
        Some((tool, place)) if place.starts_with('/') => Ok((tool.to_owned(), place.to_owned())),
        _ => Err(WireError::bad_request(say!(
            "--ignore takes a tool and a JSON pointer, such as get_time:/structuredContent/now, not {text}"
        ))),
    }
}

pub(super) fn read(file: &Path) -> Result<String, WireError> {
    let mut bytes = Vec::new();
    let read = match file.to_str() {
        Some("-") => std::io::stdin().read_to_end(&mut bytes).map(drop),
        _ => std::fs::read(file).map(|content| bytes = content),
    };
    let path = file.display();
    read.map_err(|error| WireError::bad_request(say!("{shown} cannot be read: {error}", shown = path)))?;
    text_file::decode_prose(bytes).map_err(|why| WireError::bad_request(say!("{shown} {why}", shown = path)))
}

fn absolute(folder: &Path) -> Result<String, WireError> {
    let absolute = std::fs::canonicalize(folder).map_err(|error| {
        WireError::bad_request(say!("the folder {} cannot be used: {error}", folder.display()))
    })?;
    Ok(absolute.to_string_lossy().into_owned())
}

fn end(done: &RecordOutcome) -> CommandEnd {
    if done.failed.is_some() || done.left_out > 0 { CommandEnd::SomeFailed } else { CommandEnd::Done }
}

fn text(done: &RecordOutcome, lang: Language) -> String {
    let mut lines = vec![lang.say(&say!(
        "{}: {} tools, {} calls in {} sessions",
        done.label.as_str(),
        done.tools,
        done.calls,
        done.sessions
    ))];
    if done.masked > 0 {
        lines.push(lang.say(&say!("values were replaced in {} answers", done.masked)));
    }
    for (tool, what) in &done.unsteady {
        lines.push(lang.say(&unsteady(tool, what)));
    }
    if !done.passed_through.is_empty() {
        let methods: Vec<&str> = done.passed_through.keys().map(String::as_str).collect();
        lines.push(lang.say(&say!("passed through and not recorded: {}", methods.join(", "))));
    }
    lines.extend(done.remarks.iter().map(|remark| lang.say(remark)));
    if let Some(why) = &done.failed {
        lines.push(lang.say(&say!("the recording ended early and is complete up to that point: {why}")));
    }
    lines.join("\n")
}

fn differences(drift: &ServerDrift, all: bool, lang: Language) -> String {
    let name_and_version = |info: &serde_json::Value| {
        let part = |field: &str| info[field].as_str().unwrap_or_default().to_owned();
        format!("{} {}", part("name"), part("version"))
    };
    let mut text = format!(
        "{}: {} ({})\n{}: {}\n",
        lang.text(text!("pack")),
        drift.pack,
        name_and_version(&drift.then),
        lang.text(text!("compared with")),
        name_and_version(&drift.now),
    );
    for change in &drift.tools {
        text.push_str(&format!("  {}\n", tool_change(change, lang)));
    }
    let calls: Vec<_> = drift
        .calls
        .iter()
        .filter(|call| all || !matches!(call.now, AnswerNow::Same | AnswerNow::NotKept))
        .collect();
    if !calls.is_empty() {
        let table = Columns::new(calls.iter().copied(), lang)
            .column("", |call| call.ordinal)
            .id(text!("tool"), |call| call.tool.clone())
            .column(text!("answer"), |call| answer_now(call.now, lang))
            .prose(text!("where"), |call| match &call.why {
                Some(why) => lang.say(why),
                None => {
                    let places = call.places.shown.iter().take(3).map(|place| {
                        let side_text =
                            |side: &Option<String>| side.clone().unwrap_or_else(|| "—".to_owned());
                        format!("{}: {} → {}", place.path, side_text(&place.then), side_text(&place.now))
                    });
                    places.collect::<Vec<_>>().join("; ")
                }
            });
        text.push_str(&format!("\n{}", table.text()));
    }
    let (same, calls) = (drift.same, drift.calls.len());
    text.push_str(&format!(
        "\n{}\n",
        lang.say(&if drift.compatible {
            say!("compatible: {same} of {calls} answers are the same")
        } else {
            say!("not compatible: {same} of {calls} answers are the same")
        })
    ));
    if let Some(label) = &drift.updated {
        text.push_str(&lang.say(&say!("recorded as {label}")));
    }
    text
}

fn answer_now(now: AnswerNow, lang: Language) -> &'static str {
    match now {
        AnswerNow::Same => lang.text(text!("the same")),
        AnswerNow::Differs => lang.text(text!("another result")),
        AnswerNow::Missing => lang.text(text!("now without a result")),
        AnswerNow::Found => lang.text(text!("now with a result")),
        AnswerNow::ErrorThen => lang.text(text!("failed then")),
        AnswerNow::NotKept => lang.text(text!("not kept")),
    }
}

fn tool_change(change: &ToolChange, lang: Language) -> String {
    let (tool, place) = (&change.tool, &change.place);
    let value = |side: &Option<serde_json::Value>| {
        side.as_ref().map_or_else(|| "—".to_owned(), |side| cut(&side.to_string()))
    };
    let (then, now) = (value(&change.then), value(&change.now));
    let sentence = match change.kind {
        ToolChangeKind::Added => say!("{tool}: a new tool"),
        ToolChangeKind::Removed => say!("{tool}: removed"),
        ToolChangeKind::Renamed => say!("{tool}: renamed to {place}"),
        ToolChangeKind::Description => say!("{tool}: another description"),
        ToolChangeKind::ParameterAdded => say!("{tool}: a new parameter, {place}"),
        ToolChangeKind::ParameterRemoved => say!("{tool}: a removed parameter, {place}"),
        ToolChangeKind::Required => say!("{tool}: {place} is required now"),
        ToolChangeKind::Optional => say!("{tool}: {place} is not required any more"),
        ToolChangeKind::Type => say!("{tool}: another type at {place}, {then} → {now}"),
        ToolChangeKind::EnumNarrowed => say!("{tool}: fewer values at {place}, {then} → {now}"),
        ToolChangeKind::EnumWidened => say!("{tool}: more values at {place}, {then} → {now}"),
        ToolChangeKind::Default => say!("{tool}: another default at {place}, {then} → {now}"),
        ToolChangeKind::Schema => say!("{tool}: another schema at {place}, {then} → {now}"),
    };
    lang.say(&sentence)
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(MAX_ARGUMENT_CHARS) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

//! Agents that speak the Agent Client Protocol, which is JSON-RPC with one message per line.
//!
//! Five kinds of messages are enough. koab offers no files and no terminal, only one session with
//! the task's tools and prompts.

use super::{LONGEST_ANSWER, ended_from_here, not_started, too_long};
use crate::answer::{cleaned, excerpt};
use crate::program;
use crate::program_end::Stdin;
use crate::setup::{AgentResult, Setup};
use koab_core::say;
use koab_core::sentence::Sentence;
use serde_json::{Value, json};
use std::time::Duration;
use tokio::io::AsyncWriteExt as _;
use tokio::sync::mpsc::Receiver;

/// Version of the protocol.
const VERSION: u32 = 1;
/// Time for sending the cancellation to a program.
const CANCEL_TIMEOUT: Duration = Duration::from_millis(500);
/// Time that a program may take to end after its last line.
const END_TIMEOUT: Duration = Duration::from_secs(5);

/// Runs the program of an attempt.
///
/// # Errors
/// When the program cannot be started.
pub(crate) async fn run(setup: &Setup<'_>) -> Result<AgentResult, Sentence> {
    let (output, lines) = setup.output.clone().by_lines();
    let (mut running, stdin) =
        program::start(setup, &output, true).await.map_err(|why| not_started(setup, why))?;
    drop(output);
    let mut talk = Session { stdin, lines, last: 0, session: None, said: String::new(), is_cut: false };
    let talked = tokio::select! {
        biased;
        talked = talk.whole(setup) => talked,
        () = setup.cancel.cancelled() => {
            // A program that does not listen is ended anyway.
            drop(tokio::time::timeout(CANCEL_TIMEOUT, talk.cancel()).await);
            Ok(())
        }
    };
    let answer = Some(cleaned(&talk.said)).filter(|said| !said.is_empty());
    let is_cut = talk.is_cut;
    drop(talk);
    if is_cut
        && setup.contained.is_some()
        && tokio::time::timeout(END_TIMEOUT, running.ended()).await.is_err()
    {
        // The program still runs: its output was lost on the way, which does not mean that it has
        // ended.
        running.end().await?;
        return Err(say!("the agent is running, but its output does not arrive any more"));
    }
    let over = running.end().await?;
    Ok(AgentResult { exit: over.code, ..ended_from_here(setup, answer, talked.err(), &over) })
}

/// A conversation with the program.
struct Session {
    stdin: Option<Stdin>,
    lines: Receiver<String>,
    last: u64,
    session: Option<String>,
    /// Text of the program's reply since its last tool call.
    said: String,
    /// Whether the program's output ended while koab waited for a message.
    is_cut: bool,
}

impl Session {
    async fn whole(&mut self, setup: &Setup<'_>) -> Result<(), Sentence> {
        let nothing = json!({"fs": {"readTextFile": false, "writeTextFile": false}, "terminal": false});
        let client = json!({"name": "koab", "version": env!("CARGO_PKG_VERSION")});
        let params = json!({"protocolVersion": VERSION, "clientCapabilities": nothing, "clientInfo": client});
        self.ask("initialize", params).await?;
        let headers = json!([{"name": "Authorization", "value": setup.values.fill("Bearer {token}")}]);
        let server =
            json!({"type": "http", "name": "koab", "url": setup.values.fill("{mcp}"), "headers": headers});
        let params = json!({"cwd": setup.values.fill("{work}"), "mcpServers": [server]});
        let session = self.ask("session/new", params).await?;
        let session = session["sessionId"].as_str().ok_or_else(|| say!("it opened no session"))?;
        self.session = Some(session.to_owned());
        self.turn(session, setup.prompt).await?;
        for text in setup.later_turns {
            setup.turn_ended(&cleaned(&self.said));
            self.said.clear();
            self.turn(session, text).await?;
        }
        Ok(())
    }

    /// Sends a turn of the user and waits for its end.
    async fn turn(&mut self, session: &str, text: &str) -> Result<(), Sentence> {
        let prompt = json!([{"type": "text", "text": text}]);
        let params = json!({"sessionId": session, "prompt": prompt});
        let response = self.ask("session/prompt", params).await?;
        match response["stopReason"].as_str() {
            Some("end_turn") => Ok(()),
            Some(reason) => Err(say!("it stopped for the reason {}", excerpt(reason))),
            None => Err(say!("it gave no reason for its end")),
        }
    }

    /// Sends a request and returns its result. Handles other messages that arrive before the
    /// result.
    async fn ask(&mut self, method: &str, params: Value) -> Result<Value, Sentence> {
        self.last += 1;
        let id = self.last;
        self.write(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})).await?;
        loop {
            let Some(line) = self.lines.recv().await else {
                self.is_cut = true;
                return Err(say!("it ended before it answered {method}"));
            };
            // Programs print greetings and warnings between messages.
            let Ok(message) = serde_json::from_str::<Value>(line.trim()) else {
                continue;
            };
            let is_ours = message["method"].is_null() && message["id"].as_u64() == Some(id);
            if is_ours {
                return match message.get("error") {
                    Some(error) => Err(said_no(method, error)),
                    None => Ok(message["result"].clone()),
                };
            }
            self.hear(&message).await?;
        }
    }

    async fn hear(&mut self, message: &Value) -> Result<(), Sentence> {
        let params = &message["params"];
        match message["method"].as_str() {
            Some("session/update") => {
                let update = &params["update"];
                match update["sessionUpdate"].as_str() {
                    Some("agent_message_chunk") => {
                        let text = update["content"]["text"].as_str().unwrap_or_default();
                        if self.said.len() + text.len() > LONGEST_ANSWER {
                            return Err(too_long());
                        }
                        self.said.push_str(text);
                    }
                    // Text before a tool call is not the answer.
                    Some("tool_call") => self.said.clear(),
                    _ => {}
                }
                Ok(())
            }
            Some("session/request_permission") => {
                let outcome = match allowing(&params["options"]) {
                    Some(option) => json!({"outcome": "selected", "optionId": option}),
                    None => json!({"outcome": "cancelled"}),
                };
                let result = json!({"outcome": outcome});
                self.write(&json!({"jsonrpc": "2.0", "id": message["id"], "result": result})).await
            }
            Some(method) if !message["id"].is_null() => {
                let error = json!({"code": -32601, "message": format!("there is no method {method} here")});
                self.write(&json!({"jsonrpc": "2.0", "id": message["id"], "error": error})).await
            }
            _ => Ok(()),
        }
    }

    async fn cancel(&mut self) -> Result<(), Sentence> {
        let Some(session) = self.session.clone() else {
            return Ok(());
        };
        let params = json!({"sessionId": session});
        self.write(&json!({"jsonrpc": "2.0", "method": "session/cancel", "params": params})).await
    }

    async fn write(&mut self, message: &Value) -> Result<(), Sentence> {
        let gone = || say!("it does not read its input any more");
        let stdin = self.stdin.as_mut().ok_or_else(gone)?;
        let line = format!("{message}\n");
        let sent = stdin.write_all(line.as_bytes()).await;
        let flushed = stdin.flush().await;
        sent.and(flushed).map_err(|_| gone())
    }
}

/// Id of the option that allows a tool call. An option for one call is preferred to an option for
/// all calls.
fn allowing(options: &Value) -> Option<Value> {
    let options = options.as_array()?;
    let of_kind = |wanted: &str| {
        let option = options.iter().find(|option| {
            let kind = option["kind"].as_str().unwrap_or_default();
            kind.starts_with(wanted)
        });
        option.map(|option| option["optionId"].clone())
    };
    of_kind("allow_once").or_else(|| of_kind("allow"))
}

fn said_no(method: &str, error: &Value) -> Sentence {
    let message = error["message"].as_str().unwrap_or("no reason");
    say!("it refused {method}: {}", excerpt(message))
}

#[cfg(test)]
mod tests;

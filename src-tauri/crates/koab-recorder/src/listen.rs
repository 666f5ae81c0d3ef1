//! Standing between over HTTP: clients ask us, we ask the server, and answers to calls are kept.

use crate::client::{Answered, Client, NoAnswer};
use crate::form::{ServerForm, raw};
use crate::tape::{Came, Tape, name_of};
use async_trait::async_trait;
use koab_mcp::http::{self, HttpAnswer};
use koab_mcp::listener::{Answers, Asked};
use koab_mcp::message::{self, INTERNAL_ERROR};
use koab_mcp::{Face, RawValue, Server, ToolAnswer, ToolCall, ToolOffer, Tools};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A server behind which the recorded one stands.
pub(crate) struct Front(pub(crate) Server);

#[async_trait]
impl Answers for Front {
    async fn answer(&self, asked: Asked) -> HttpAnswer {
        http::answer(&self.0, &asked.method, &asked.body).await
    }
}

/// The tools of a server that is being recorded.
pub(crate) struct Live {
    pub(crate) client: Arc<Client>,
    pub(crate) tape: Arc<Mutex<Tape>>,
    pub(crate) offers: Vec<ToolOffer>,
    pub(crate) limit: Duration,
}

/// What a server says of itself, said in its place.
pub(crate) fn face(server: &ServerForm) -> Face {
    Face {
        info: raw(&server.info),
        capabilities: raw(&server.capabilities),
        instructions: server.instructions.as_deref().map(raw),
        handshake: None,
        modern: true,
    }
}

/// The tools as the server lists them.
pub(crate) fn offers(server: &ServerForm) -> Vec<ToolOffer> {
    let named = server.tools.iter().map(|tool| ToolOffer {
        name: name_of(tool).unwrap_or_default(),
        text: raw(tool),
    });
    named.collect()
}

impl Live {
    fn told(&self, answered: Result<Answered, NoAnswer>) -> ToolAnswer {
        match answered {
            Ok(Answered::Result(result)) => ToolAnswer::Result(result),
            Ok(Answered::Error(error)) => ToolAnswer::Error(error),
            Err(none) => {
                let why = none.sentence(self.limit);
                ToolAnswer::Error(message::error(INTERNAL_ERROR, &why.to_string()))
            }
        }
    }
}

#[async_trait]
impl Tools for Live {
    fn list(&self) -> Vec<ToolOffer> {
        self.offers.clone()
    }

    async fn call(&self, call: ToolCall<'_>) -> ToolAnswer {
        let since = Instant::now();
        let answered = self.client.call(call.name, call.arguments).await;
        if let Ok(answered) = &answered {
            let mut tape = self.tape.lock().unwrap_or_else(PoisonError::into_inner);
            tape.keep(&Came {
                tool: call.name,
                arguments: call.arguments.map(RawValue::get),
                answered,
                took: since.elapsed(),
            });
        }
        self.told(answered)
    }

    async fn other(&self, method: &str, params: Option<&RawValue>) -> Option<ToolAnswer> {
        if method.starts_with("server/") || method.starts_with("tools/") {
            return None;
        }
        self.tape
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .pass(method);
        let none = raw("{}");
        let answered = self.client.ask(method, params.unwrap_or(&none)).await;
        Some(self.told(answered))
    }
}

//! Standing between over HTTP: clients ask us, we ask the server, and answers to calls are kept.

use crate::client::{Answered, Client, NoAnswer};
use crate::form::{ServerForm, raw};
use crate::greet::rubbish;
use crate::ready::Ready;
use crate::recorder::Recorder;
use crate::request::RecordOutcome;
use crate::tape::{Came, Tape, name_of};
use async_trait::async_trait;
use koab_core::say;
use koab_mcp::http::{self, HttpAnswer};
use koab_mcp::listener::{Answers, Asked, Listener};
use koab_mcp::message::{self, INTERNAL_ERROR};
use koab_mcp::{Face, RawValue, Server, ToolAnswer, ToolCall, ToolOffer, Tools};
use koab_workspace::{ErrorCode, WireError};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio_util::sync::CancellationToken;

/// How long whoever waits for an answer may hear that the server has ended.
const LAST_WORDS: Duration = Duration::from_millis(200);

/// A recorder that clients can come to.
pub(crate) struct Listening {
    /// Where they find it.
    pub(crate) url: String,
    /// What is recorded, with what the server said of itself.
    pub(crate) tape: Arc<Mutex<Tape>>,
}

impl Recorder {
    /// Stands between clients that come over HTTP and the server, until `stop` or the server's end.
    pub(crate) async fn listen(
        &self,
        ready: &Ready,
        listener: Listener,
        listening: impl FnOnce(Listening),
        stop: &CancellationToken,
    ) -> Result<RecordOutcome, WireError> {
        let limit = ready.request.limit;
        let (client, mut tape) = tokio::select! {
            greeted = self.greeted(ready, limit) => greeted?,
            // The server goes with what waited for it.
            () = stop.cancelled() => {
                let why = say!("stopped before the server had answered");
                return Err(WireError::new(ErrorCode::Cancelled, why));
            }
        };
        tape.begin_session();
        let (face, offers) = (face(&tape.recorded.server), offers(&tape.recorded.server));
        let (client, tape) = (Arc::new(client), Arc::new(Mutex::new(tape)));
        listening(Listening {
            url: format!("http://{}/mcp", listener.address()),
            tape: Arc::clone(&tape),
        });
        let until = stop.child_token();
        let gone = async {
            client.gone().await;
            tokio::time::sleep(LAST_WORDS).await;
            until.cancel();
            std::future::pending().await
        };
        let front = Front(Server::new(
            face,
            Arc::new(Live {
                client: Arc::clone(&client),
                tape: Arc::clone(&tape),
                offers,
                limit,
            }),
        ));
        tokio::select! {
            () = listener.serve(Arc::new(front), until.clone()) => {}
            () = gone => {}
        }
        let failed = client.ended();
        let mut tape = {
            let mut tape = tape.lock().unwrap_or_else(PoisonError::into_inner);
            std::mem::replace(&mut *tape, ready.tape())
        };
        rubbish(&mut tape, &client);
        if let Ok(client) = Arc::try_unwrap(client) {
            client.leave().await;
        }
        self.keep(ready, tape, failed)
    }
}

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
        let session = self.tape.lock().unwrap_or_else(PoisonError::into_inner).ask();
        let answered = self.client.call(call.name, call.arguments).await;
        if let Ok(answered) = &answered {
            let mut tape = self.tape.lock().unwrap_or_else(PoisonError::into_inner);
            tape.keep(&Came {
                session,
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

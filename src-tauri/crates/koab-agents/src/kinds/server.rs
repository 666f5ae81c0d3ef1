//! Agents that are servers. koab starts such a server for an attempt, sends the request and ends
//! the server. A server without a command is running already and only gets the request.

mod a2a;
mod port;

pub(crate) use a2a::run as a2a;
pub(crate) use port::ServerPort;

use super::web::{self, Address};
use super::{ended_from_here, not_started};
use crate::program::{self, AgentProgram};
use crate::program_end::ProgramEnd;
use crate::setup::{AgentResult, Setup};
use koab_core::say;
use koab_core::sentence::Sentence;
use std::time::Duration;

/// Time between two requests for the state of a server.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// Starts the server of a definition.
///
/// # Errors
/// When the definition has no command, or the server cannot be started.
async fn started(setup: &Setup<'_>) -> Result<AgentProgram, Sentence> {
    let (running, _) =
        program::start(setup, &setup.output, false).await.map_err(|why| not_started(setup, why))?;
    Ok(running)
}

fn address(setup: &Setup<'_>) -> Result<Address, Sentence> {
    let text = setup.definition.address.as_deref().unwrap_or_default();
    Address::read(&setup.values.fill(text))
}

/// Waits for the response of a server that koab started. Ends early when the server or the attempt
/// ends.
///
/// # Errors
/// When the container engine lost the server. A failed request is an error in the inner result.
async fn before_its_end<T: Default>(
    setup: &Setup<'_>,
    running: &mut AgentProgram,
    asking: impl Future<Output = Result<T, Sentence>>,
) -> Result<Result<T, Sentence>, Sentence> {
    tokio::select! {
        biased;
        () = setup.cancel.cancelled() => Ok(Ok(T::default())),
        asked = asking => Ok(asked),
        ended = running.ended() => ended.map(|()| Err(say!("its server ended before it answered"))),
    }
}

/// Runs an attempt with a server that receives the prompt in a `POST` request.
///
/// # Errors
/// When the server cannot be started, or its address is not valid.
pub(crate) async fn http(setup: &Setup<'_>) -> Result<AgentResult, Sentence> {
    let address = address(setup)?;
    let request = setup.values.fill_value(setup.definition.request.as_ref().unwrap_or_default());
    if setup.definition.command.is_empty() {
        let response = there(setup, &address, web::post(&address, &request, &[])).await?;
        return Ok(read(setup, response, &ProgramEnd::default()));
    }
    let mut running = started(setup).await?;
    let address = address.within(running.ports());
    let asking = async {
        while !address.is_there().await {
            tokio::time::sleep(POLL_INTERVAL).await;
        }
        let answer = web::post(&address, &request, &[]).await?;
        Ok(Some(answer))
    };
    let response = before_its_end(setup, &mut running, asking).await;
    let over = running.end().await?;
    Ok(read(setup, response?, &over))
}

/// Waits for the response of a server that was running already; `None` if the attempt ended first.
///
/// # Errors
/// When no server listens at the address. A failed request is an error in the inner result.
async fn there<T>(
    setup: &Setup<'_>,
    address: &Address,
    asking: impl Future<Output = Result<T, Sentence>>,
) -> Result<Result<Option<T>, Sentence>, Sentence> {
    if !address.is_there().await {
        let address = setup.definition.address.as_deref().unwrap_or_default();
        return Err(say!(
            "no server answers at {address}; start the agent's server first, or give its definition a `command`"
        ));
    }
    Ok(tokio::select! {
        biased;
        () = setup.cancel.cancelled() => Ok(None),
        answered = asking => answered.map(Some),
    })
}

fn read(setup: &Setup<'_>, answered: Result<Option<String>, Sentence>, over: &ProgramEnd) -> AgentResult {
    let (text, why) = match answered {
        Ok(text) => (text, None),
        Err(why) => (None, Some(why)),
    };
    let from = setup.definition.answer.as_ref();
    let answer = text.and_then(|text| from?.read(&text));
    ended_from_here(setup, answer, why, over)
}

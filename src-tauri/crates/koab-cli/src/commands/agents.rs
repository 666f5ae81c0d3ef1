//! `koab agents`.

use crate::CommandEnd;
use crate::args::agents::AgentsCommand;
use koab_api::{ErrorCode, WireError};
use koab_core::text;
use koab_mcp::bridge::Bridge;
use koab_mcp::stdio;

pub(crate) async fn agents(command: AgentsCommand) -> Result<CommandEnd, WireError> {
    match command {
        AgentsCommand::Bridge => bridge().await,
    }
}

async fn bridge() -> Result<CommandEnd, WireError> {
    let unusable = |why| WireError::new(ErrorCode::BadRequest, why);
    let url = std::env::var("KOAB_MCP_URL").map_err(|_| {
        unusable(text!("the environment variable KOAB_MCP_URL is to name the server's address").into())
    })?;
    let token = std::env::var("KOAB_MCP_TOKEN").ok();
    let bridge = Bridge::to(&url, token.as_deref()).map_err(unusable)?;
    let (mut input, mut output) = stdio::streams();
    bridge
        .serve(&mut input, &mut output)
        .await
        .map_err(WireError::internal)?;
    Ok(CommandEnd::Done)
}

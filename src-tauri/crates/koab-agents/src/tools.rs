//! Tools of a task, which an agent uses over the Model Context Protocol.

use async_trait::async_trait;
use koab_core::secrets::Secrets;
use koab_core::tool::ToolSpec;
use koab_engine::ports::AttemptHandle;
use koab_mcp::{RawValue, Server, ServerProfile, ToolAnswer, ToolCall, ToolOffer, Tools};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

struct DeskTools {
    offers: Vec<ToolOffer>,
    handle: AttemptHandle,
    /// Secrets that are removed from calls before the calls are logged.
    secrets: Secrets,
    listed: Arc<AtomicBool>,
}

/// Creates a server for these tools. `handle` answers the calls, and `secrets` are removed from the
/// calls. `listed` is set when the agent requests the list of tools.
pub(crate) fn server(
    tools: &[ToolSpec],
    handle: AttemptHandle,
    secrets: Secrets,
    listed: &Arc<AtomicBool>,
) -> Server {
    let offer = |tool: &ToolSpec| {
        let schema = RawValue::from_string(tool.parameters.to_string()).ok()?;
        Some(ToolOffer::new(&tool.name, &tool.description, &schema))
    };
    let tools = DeskTools {
        offers: tools.iter().filter_map(offer).collect(),
        handle,
        secrets,
        listed: Arc::clone(listed),
    };
    Server::new(ServerProfile::ours("koab", env!("CARGO_PKG_VERSION")), Arc::new(tools))
}

#[async_trait]
impl Tools for DeskTools {
    fn list(&self) -> Vec<ToolOffer> {
        self.listed.store(true, Ordering::Relaxed);
        self.offers.clone()
    }

    async fn call(&self, call: ToolCall<'_>) -> ToolAnswer {
        let arguments = call.arguments.map_or("{}", RawValue::get);
        let (name, arguments) = (self.secrets.text(call.name), self.secrets.json(arguments));
        match self.handle.call(&name, &arguments).await {
            Some(shown) => ToolAnswer::text(&shown.text, shown.is_error),
            None => ToolAnswer::error(-32000, "the attempt is over"),
        }
    }
}

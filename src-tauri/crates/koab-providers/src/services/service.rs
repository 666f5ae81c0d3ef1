//! What every service can do.

use super::args::Args;
use super::connection::Connection;
use async_trait::async_trait;
use koab_engine::ports::ServiceFault;
use serde_json::Value;

/// What every service can do.
#[async_trait]
pub(super) trait Service: Send + Sync {
    /// Asks for one of its tools.
    async fn call(&self, tool: &str, args: Args<'_>) -> Result<Value, ServiceFault>;

    /// Its connection, which knows what must not be told.
    fn line(&self) -> &Connection;
}

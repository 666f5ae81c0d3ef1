//! Common interface of services.

use super::args::Args;
use super::connection::Connection;
use async_trait::async_trait;
use koab_engine::ports::ServiceFault;
use serde_json::Value;

/// Common interface of services.
#[async_trait]
pub(super) trait Service: Send + Sync {
    /// Calls one of the service's tools.
    async fn call(&self, tool: &str, args: Args<'_>) -> Result<Value, ServiceFault>;

    /// Connection to the service. It also has the texts that must not be shown.
    fn line(&self) -> &Connection;
}

//! Steps that all ways of recording share: the connection and handshake at the start, and remarks
//! at the end.

use crate::capture::Capture;
use crate::checked_request::CheckedRequest;
use crate::client::Client;
use crate::recorder::Recorder;
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_workspace::WireError;
use std::time::Duration;

impl Recorder {
    /// Connects to the server and does the handshake. Returns the client, and a capture that
    /// contains the server's description of itself.
    pub(crate) async fn connect(
        &self,
        ready: &CheckedRequest,
        limit: Duration,
    ) -> Result<(Client, Capture), WireError> {
        let client = Client::new(ready.link().map_err(unusable)?, ready.secrets(), limit);
        let mut capture = ready.capture();
        if let Err(why) = client.greet(&mut capture.recorded.server).await {
            client.leave().await;
            return Err(unusable(why));
        }
        Ok((client, capture))
    }
}

/// Error for a server that cannot be recorded.
pub(crate) fn unusable(why: Sentence) -> WireError {
    WireError::bad_request(why)
}

/// Adds a remark about lines of the server that were not messages.
pub(crate) fn rubbish(capture: &mut Capture, client: &Client) {
    if client.rubbish() > 0 {
        capture.remark(say!(
            "the server writes lines to standard output that are not messages; they were not passed on"
        ));
    }
}

//! A server is reached and says what it is; what every way of recording begins and ends with.

use crate::client::Client;
use crate::ready::Ready;
use crate::recorder::Recorder;
use crate::tape::Tape;
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_workspace::{ErrorCode, WireError};
use std::time::Duration;

impl Recorder {
    /// A server that was greeted, and a tape with what it said of itself.
    pub(crate) async fn greeted(&self, ready: &Ready, limit: Duration) -> Result<(Client, Tape), WireError> {
        let client = Client::new(ready.link().map_err(unusable)?, ready.secrets(), limit);
        let mut tape = ready.tape();
        if let Err(why) = client.greet(&mut tape.recorded.server).await {
            client.leave().await;
            return Err(unusable(why));
        }
        Ok((client, tape))
    }
}

/// One sentence about a server that cannot be recorded.
pub(crate) fn unusable(why: Sentence) -> WireError {
    WireError::new(ErrorCode::BadRequest, why)
}

/// Says of lines that are no messages that they were not passed on.
pub(crate) fn rubbish(tape: &mut Tape, client: &Client) {
    if client.rubbish() > 0 {
        tape.remark(say!(
            "the server writes lines to standard output that are no messages; they were not passed on"
        ));
    }
}

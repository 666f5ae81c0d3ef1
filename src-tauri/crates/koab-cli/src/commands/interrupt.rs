//! Ctrl-C ends what a command does, not what it has done.

use koab_api::Cancel;

/// A token that Ctrl-C triggers. A second Ctrl-C ends the program at once.
#[expect(
    clippy::exit,
    reason = "whoever presses Ctrl-C twice does not want to wait for anything"
)]
pub(super) fn on_ctrl_c() -> Cancel {
    let cancel = Cancel::new();
    let token = cancel.clone();
    tokio::spawn(async move {
        if tokio::signal::ctrl_c().await.is_ok() {
            token.cancel();
            if tokio::signal::ctrl_c().await.is_ok() {
                std::process::exit(130);
            }
        }
    });
    cancel
}

//! Ctrl-C ends what a command does, not what it has done.

use koab_api::Cancel;

/// A token that Ctrl-C triggers. A second Ctrl-C ends the program at once.
#[expect(clippy::exit, reason = "whoever presses Ctrl-C twice does not want to wait for anything")]
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

/// The same, and for the signals with which schedulers end a job: what is under way is kept, and
/// the program ends by itself.
pub(super) fn on_end() -> Cancel {
    let cancel = on_ctrl_c();
    #[cfg(unix)]
    for kind in
        [tokio::signal::unix::SignalKind::terminate(), tokio::signal::unix::SignalKind::user_defined1()]
    {
        if let Ok(mut signal) = tokio::signal::unix::signal(kind) {
            let token = cancel.clone();
            tokio::spawn(async move {
                signal.recv().await;
                token.cancel();
            });
        }
    }
    cancel
}

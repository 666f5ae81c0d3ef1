//! Cancellation by Ctrl-C and by a scheduler's signals. Finished work is saved.

use koab_api::Cancel;

/// Returns a token that Ctrl-C cancels. A second Ctrl-C ends the program at once.
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

/// Returns a token that Ctrl-C, SIGTERM and SIGUSR1 cancel. Schedulers end a job with these two
/// signals. Finished work is saved, and the program then exits by itself.
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

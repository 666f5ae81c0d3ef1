//! `koab serve`: the window's UI in a browser.

use super::interrupt::on_ctrl_c;
use crate::CommandEnd;
use crate::args::serve::ServeArgs;
use crate::output::Output;
use koab_api::{Api, WireError};
use koab_core::text;
use koab_serve::{Limits, Links, Server, Site};
use serde_json::json;
use std::io::{IsTerminal as _, Write as _};
use std::process::{Command, Stdio};

pub(crate) async fn serve(api: &Api, args: ServeArgs, output: Output) -> Result<CommandEnd, WireError> {
    let site = Site::find(args.ui.as_deref())?;
    let server = Server::bind(api.clone(), site, args.port, Limits::default()).await?;
    let links = server.links();
    let link = links.fresh()?;
    let cancel = on_ctrl_c();
    output.result(&json!({ "url": link }), || link.clone());
    // The file of the page must exist while the browser may read it.
    let _page = if args.open { open(&link, output)? } else { None };
    let lang = output.lang;
    if std::io::stdin().is_terminal() {
        output.remark(lang.text(text!("this link works once; press Enter for a new one, Ctrl-C to stop")));
        on_enter(links, output);
    }
    let stopped = server
        .run(async move {
            tokio::select! {
                () = cancel.cancelled() => {}
                () = terminated() => {}
            }
        })
        .await?;
    Ok(if stopped.cancelled_a_run {
        output.remark(lang.text(text!("the run that was under way is cancelled; everything so far is kept")));
        CommandEnd::Cancelled
    } else {
        CommandEnd::Done
    })
}

/// Waits until the system asks the program to terminate, for instance at a shutdown.
async fn terminated() {
    #[cfg(unix)]
    if let Ok(mut signal) = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
        signal.recv().await;
        return;
    }
    std::future::pending().await
}

/// Prints a new link each time the user presses Enter. The thread ends with the program, because a
/// read of the terminal cannot be cancelled.
fn on_enter(links: Links, output: Output) {
    std::thread::spawn(move || {
        for line in std::io::stdin().lines() {
            let Some(link) = line.ok().and_then(|_| links.fresh().ok()) else {
                return;
            };
            output.result(&json!({ "url": link }), || link.clone());
        }
    });
}

/// Opens the system's browser. The link is passed in a file that only the user can read, because
/// everybody on the computer can read a program's arguments.
fn open(link: &str, output: Output) -> Result<Option<tempfile::TempPath>, WireError> {
    let mut page =
        tempfile::Builder::new().prefix("koab-").suffix(".html").tempfile().map_err(WireError::storage)?;
    write!(page, "<!doctype html><meta http-equiv=\"refresh\" content=\"0;url={link}\"><title>koab</title>")
        .map_err(WireError::storage)?;
    let page = page.into_temp_path();
    let mut opener = if cfg!(target_os = "macos") {
        Command::new("open")
    } else if cfg!(windows) {
        Command::new("explorer")
    } else {
        Command::new("xdg-open")
    };
    let started = opener.arg(&page).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    match started {
        Ok(_) => Ok(Some(page)),
        Err(error) => {
            let text = output.lang.text(text!("the browser cannot be opened; open the link above yourself"));
            output.remark(&format!("{text}: {error}"));
            Ok(None)
        }
    }
}

//! A scripted model server that replays published run logs over HTTP, to measure the product's own
//! time in a run.

use std::process::Command;

use anyhow::{Context as _, ensure};

use super::server::Server;
use crate::checkout::Checkout;

/// The running server. It is stopped on drop.
pub(super) struct ReplayServer {
    _server: Server,
    address: String,
}

impl ReplayServer {
    /// Starts the server on a free port. `options` are arguments of the server, for instance
    /// `--latency-ms 50`.
    ///
    /// # Errors
    /// When the reference data or Python is missing, or the server does not start.
    pub(super) fn start(checkout: &Checkout, options: &[&str]) -> anyhow::Result<Self> {
        let shared = checkout.shared().context("the reference data is not there (../shared)")?;
        let mut command = Command::new("python3");
        command.arg(shared.join("tools/replay_llm.py")).arg("--logs").arg(shared.join("parity/logs"));
        command.arg("--tasks").arg(shared.join("ko-agentbench/tasks")).args(["--port", "0"]).args(options);
        let (mut server, line) = Server::start(&mut command)?;
        let address = address(&line).with_context(|| format!("the replay server said {line:?}"))?;
        ensure!(server.is_up()?, "the replay server ended at once");
        Ok(Self { _server: server, address })
    }

    /// Base URL of the server's `OpenAI` API, for `--base-url`.
    pub(super) fn openai_base_url(&self) -> String {
        format!("{}/v1", self.address)
    }
}

/// Returns the address in the server's first line, which has the form `listening on
/// http://HOST:PORT with …`.
fn address(line: &str) -> Option<String> {
    let word = line.split_whitespace().find(|word| word.starts_with("http://"))?;
    word.rsplit_once(':')?.1.parse::<u16>().ok()?;
    Some(word.to_owned())
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Write as _};
    use std::net::TcpStream;

    use super::*;

    #[test]
    fn the_server_answers_until_the_value_is_dropped() {
        let checkout = Checkout::find().unwrap();
        if checkout.shared().is_none() {
            assert!(std::env::var_os("KOAB_REQUIRE_ALL").is_none(), "../shared is required and not there");
            eprintln!("SKIP: ../shared is not there, so there is no replay server to start");
            return;
        }
        let server = ReplayServer::start(&checkout, &[]).unwrap();
        let base_url = server.openai_base_url();
        let host = base_url.trim_start_matches("http://").trim_end_matches("/v1").to_owned();
        let mut stream = TcpStream::connect(&host).unwrap();
        stream.write_all(b"GET /v1/models HTTP/1.0\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert!(answer.contains("gpt-4o"), "{answer}");
        drop(server);
        assert!(TcpStream::connect(&host).is_err());
    }

    #[test]
    fn the_address_is_in_the_first_line() {
        let line = "listening on http://127.0.0.1:41234 with 16 model names\n";
        assert_eq!(address(line).as_deref(), Some("http://127.0.0.1:41234"));
        assert_eq!(address("no logs found under x"), None);
    }
}

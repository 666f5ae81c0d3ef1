//! A way to a port of a container without a network: a small program beside what runs there, whose
//! standard streams are the connection.

use bollard::container::LogOutput;
use bollard::exec::{CreateExecOptions, StartExecOptions, StartExecResults};
use futures_util::StreamExt as _;
use tokio::io::{AsyncWriteExt as _, DuplexStream};

use super::engine::Engine;

/// Bytes on their way in either direction.
const ROOM: usize = 1 << 16;
/// What the program says once it is connected.
const HERE: &[u8] = b"+";
/// Connects to the port that it is told, and hands on.
const PROGRAM: &str = r#"
import os, socket, sys, threading
port = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
def speak():
    data = os.read(0, 65536)
    while data:
        port.sendall(data)
        data = os.read(0, 65536)
    os._exit(0)
os.write(1, b"+")
threading.Thread(target=speak, daemon=True).start()
data = port.recv(65536)
while data:
    while data:
        data = data[os.write(1, data):]
    data = port.recv(65536)
"#;

/// Where a program runs that is a server. Clones lead to the same one.
#[derive(Clone)]
pub struct ContainerPorts {
    pub(super) engine: Engine,
    pub(super) id: String,
}

impl std::fmt::Debug for ContainerPorts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("ContainerPorts").field(&self.id).finish()
    }
}

impl ContainerPorts {
    /// A connection to a port of its container. Needs Python there.
    ///
    /// # Errors
    /// When nobody listens, or the engine does not let anything be started.
    pub async fn connect(&self, port: u16) -> std::io::Result<DuplexStream> {
        let python = r#"exec "$(command -v python3 || command -v python)" -c "$@""#;
        let port = port.to_string();
        let options = CreateExecOptions {
            attach_stdin: Some(true),
            attach_stdout: Some(true),
            cmd: Some(vec!["sh", "-c", python, "sh", PROGRAM, port.as_str()]),
            ..CreateExecOptions::default()
        };
        let docker = self.engine.ask().map_err(std::io::Error::other)?;
        let made = docker.create_exec(&self.id, options).await;
        let made = made.map_err(std::io::Error::other)?;
        let started = docker.start_exec(&made.id, None::<StartExecOptions>).await;
        let StartExecResults::Attached { mut output, mut input } = started.map_err(std::io::Error::other)?
        else {
            return Err(std::io::ErrorKind::ConnectionRefused.into());
        };
        let nobody = std::io::ErrorKind::ConnectionRefused;
        let mut first = match output.next().await {
            Some(Ok(LogOutput::StdOut { message })) => message,
            _ => return Err(nobody.into()),
        };
        if !first.starts_with(HERE) {
            return Err(nobody.into());
        }
        let (near, far) = tokio::io::duplex(ROOM);
        let (mut said, mut heard) = tokio::io::split(far);
        tokio::spawn(async move {
            // Whichever side leaves ends it.
            drop(tokio::io::copy(&mut said, &mut input).await);
            drop(input.shutdown().await);
        });
        let rest = first.split_off(HERE.len());
        tokio::spawn(async move {
            let mut piece = Some(rest);
            while let Some(bytes) = piece {
                if heard.write_all(&bytes).await.is_err() {
                    break;
                }
                piece = match output.next().await {
                    Some(Ok(next)) => Some(next.into_bytes()),
                    Some(Err(_)) | None => None,
                };
            }
            drop(heard.shutdown().await);
        });
        Ok(near)
    }
}

//! Connections to a port of a container without a network. A small program in the container
//! forwards each connection through its standard streams.

use bollard::container::LogOutput;
use bollard::exec::{CreateExecOptions, StartExecOptions, StartExecResults};
use futures_util::StreamExt as _;
use tokio::io::{AsyncWriteExt as _, DuplexStream};

use super::engine::Engine;

/// Size of the buffer for each direction, bytes.
const BUFFER_BYTES: usize = 1 << 16;
/// Output of the program once it is connected.
const CONNECTED: &[u8] = b"+";
/// Python program that connects to the port in its argument and forwards data in both directions.
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

/// Ports of a container that runs a server. Clones refer to the same container.
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
    /// Connects to a port of the container. Requires Python in the container.
    ///
    /// # Errors
    /// When nothing listens, or the engine cannot start a program.
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
        let exec = docker.create_exec(&self.id, options).await.map_err(std::io::Error::other)?;
        let results = docker.start_exec(&exec.id, None::<StartExecOptions>).await;
        let StartExecResults::Attached { mut output, mut input } = results.map_err(std::io::Error::other)?
        else {
            return Err(std::io::ErrorKind::ConnectionRefused.into());
        };
        let nobody = std::io::ErrorKind::ConnectionRefused;
        let mut first = match output.next().await {
            Some(Ok(LogOutput::StdOut { message })) => message,
            _ => return Err(nobody.into()),
        };
        if !first.starts_with(CONNECTED) {
            return Err(nobody.into());
        }
        let (near, far) = tokio::io::duplex(BUFFER_BYTES);
        let (mut from_caller, mut to_caller) = tokio::io::split(far);
        tokio::spawn(async move {
            // The connection ends when either side closes.
            drop(tokio::io::copy(&mut from_caller, &mut input).await);
            drop(input.shutdown().await);
        });
        let rest = first.split_off(CONNECTED.len());
        tokio::spawn(async move {
            let mut piece = Some(rest);
            while let Some(bytes) = piece {
                if to_caller.write_all(&bytes).await.is_err() {
                    break;
                }
                piece = match output.next().await {
                    Some(Ok(next)) => Some(next.into_bytes()),
                    Some(Err(_)) | None => None,
                };
            }
            drop(to_caller.shutdown().await);
        });
        Ok(near)
    }
}

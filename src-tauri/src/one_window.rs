//! Ensures one window per workspace. A second start passes its links to the existing window and
//! ends.
//!
//! A second window of a workspace would ask the same questions and report each run twice, so the
//! first one is brought to the front instead. A process has one window, so it has one workspace.
//!
//! The window holds a lock in the workspace's folder. So two paths to one folder are one workspace,
//! and the lock ends with its process. Another file in the folder contains the window's local
//! address and a secret, without which a request is ignored.

use koab_api::atomic::{self, Readers};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::io::{self, Read as _, Write as _};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::time::{Duration, Instant};

const FOLDER: &str = "window";
const LOCK: &str = "lock";
const ADDRESS: &str = "address";

/// Answer of the existing window.
const SHOWN: &str = "shown";

/// Time that a window may take to write its address and to answer.
const TIMEOUT: Duration = Duration::from_secs(5);

/// Maximum size of a request, far above that of any real one.
const MAX_REQUEST_BYTES: u64 = 1 << 20;

/// Result of starting the program for a workspace.
pub(crate) enum Start {
    /// This process is the workspace's window.
    First(First),
    /// Another process is the workspace's window. It now shows the links of this start.
    Shown,
}

/// The right to be the workspace's window while the process lives.
pub(crate) struct First {
    /// Lock, listener and secret. `None` if the lock or the listener is not available; later starts
    /// of the program then get no answer.
    kept: Option<(File, TcpListener, String)>,
}

/// Becomes the window of this workspace, or lets the existing one show `links`. If the lock fails
/// or the other window does not answer, this window opens anyway, since two windows are better than
/// none.
pub(crate) fn start(home: &Path, links: &[String]) -> Start {
    let folder = home.join(FOLDER);
    match lock(&folder) {
        Ok(Some(lock)) => Start::First(First {
            kept: listen(&folder).ok().map(|(listener, secret)| (lock, listener, secret)),
        }),
        Ok(None) if hand_over(&folder, links) => Start::Shown,
        _ => Start::First(First { kept: None }),
    }
}

/// Whether a process holds the lock of this workspace's window.
pub(crate) fn is_there(home: &Path) -> bool {
    let lock = home.join(FOLDER).join(LOCK);
    File::open(lock).is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
}

impl First {
    /// Calls `show` with the links of each later start, on a thread of its own.
    pub(crate) fn serve(self, show: impl Fn(Vec<String>) + Send + 'static) {
        let Some((lock, listener, secret)) = self.kept else {
            return;
        };
        std::thread::spawn(move || {
            // Held as long as requests are answered.
            let _lock = lock;
            for stream in listener.incoming().flatten() {
                // Invalid requests and closed connections are ignored.
                if let Ok(Some(links)) = request(stream, &secret) {
                    show(links);
                }
            }
        });
    }
}

/// Takes the lock. `None` while another process has it.
fn lock(folder: &Path) -> io::Result<Option<File>> {
    fs::create_dir_all(folder)?;
    let file = OpenOptions::new().create(true).truncate(false).write(true).open(folder.join(LOCK))?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

fn listen(folder: &Path) -> io::Result<(TcpListener, String)> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    let secret = [(); 2].map(|()| format!("{:016x}", RandomState::new().build_hasher().finish())).concat();
    let address = format!("{} {secret}", listener.local_addr()?.port());
    atomic::write(&folder.join(ADDRESS), Readers::Owner, address)?;
    Ok((listener, secret))
}

/// Asks the existing window to show these links, and returns whether the window confirmed. The
/// window may be just starting, so the request is retried.
fn hand_over(folder: &Path, links: &[String]) -> bool {
    let start = Instant::now();
    loop {
        if tell(folder, links).is_ok_and(|answer| answer == SHOWN) {
            return true;
        }
        if start.elapsed() > TIMEOUT {
            return false;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}

fn tell(folder: &Path, links: &[String]) -> io::Result<String> {
    let address = fs::read_to_string(folder.join(ADDRESS))?;
    let (port, secret) = address.split_once(' ').ok_or(io::ErrorKind::InvalidData)?;
    let port: u16 = port.parse().map_err(|_| io::ErrorKind::InvalidData)?;
    let mut window = TcpStream::connect_timeout(&SocketAddr::from((Ipv4Addr::LOCALHOST, port)), TIMEOUT)?;
    window.set_read_timeout(Some(TIMEOUT))?;
    window.write_all([&[secret.to_owned()], links].concat().join("\n").as_bytes())?;
    window.shutdown(std::net::Shutdown::Write)?;
    let mut answer = String::new();
    window.read_to_string(&mut answer)?;
    Ok(answer)
}

/// Reads and answers the request of a later start. Returns `None` if the sender does not know the
/// secret.
fn request(mut stream: TcpStream, secret: &str) -> io::Result<Option<Vec<String>>> {
    stream.set_read_timeout(Some(TIMEOUT))?;
    let mut text = String::new();
    (&stream).take(MAX_REQUEST_BYTES).read_to_string(&mut text)?;
    let mut lines = text.lines();
    if lines.next() != Some(secret) {
        return Ok(None);
    }
    stream.write_all(SHOWN.as_bytes())?;
    Ok(Some(lines.map(str::to_owned).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    fn first(home: &Path) -> mpsc::Receiver<Vec<String>> {
        let (sender, shown) = mpsc::channel();
        match start(home, &[]) {
            Start::First(first) => first.serve(move |links| sender.send(links).unwrap()),
            Start::Shown => panic!("nobody was there"),
        }
        shown
    }

    #[test]
    fn a_second_start_hands_its_links_to_the_window_of_its_workspace_alone() {
        let folder = tempfile::tempdir().unwrap();
        let [one, other] = ["하나", "other"].map(|name| folder.path().join(name));
        assert!(!is_there(&one), "nobody has begun it");
        let (shown, of_other) = (first(&one), first(&other));
        assert!(is_there(&one) && is_there(&other));
        let links = ["koab://run/a%20b".to_owned(), "koab://import".to_owned()];
        assert!(matches!(start(&one, &links), Start::Shown));
        assert_eq!(shown.recv().unwrap(), links);
        // Without a link it is only brought to the front.
        assert!(matches!(start(&one, &[]), Start::Shown));
        assert_eq!(shown.recv().unwrap(), Vec::<String>::new());
        assert!(of_other.try_recv().is_err(), "the other workspace's window took it");
    }

    #[cfg(unix)]
    #[test]
    fn two_paths_to_one_workspace_have_one_window() {
        let folder = tempfile::tempdir().unwrap();
        let (real, link) = (folder.path().join("real"), folder.path().join("link"));
        fs::create_dir(&real).unwrap();
        std::os::unix::fs::symlink(&real, &link).unwrap();
        let shown = first(&real);
        assert!(matches!(start(&link, &[]), Start::Shown));
        assert!(shown.recv().is_ok());
    }

    #[test]
    fn what_a_window_left_that_ended_keeps_nobody_from_starting() {
        let folder = tempfile::tempdir().unwrap();
        let left = folder.path().join(FOLDER);
        fs::create_dir(&left).unwrap();
        fs::write(left.join(LOCK), "").unwrap();
        fs::write(left.join(ADDRESS), "1 nobody").unwrap();
        assert!(!is_there(folder.path()));
        let shown = first(folder.path());
        assert!(matches!(start(folder.path(), &[]), Start::Shown));
        assert!(shown.recv().is_ok());
    }

    #[test]
    fn who_does_not_know_the_secret_is_not_answered() {
        let folder = tempfile::tempdir().unwrap();
        let shown = first(folder.path());
        let address = folder.path().join(FOLDER).join(ADDRESS);
        let kept = fs::read_to_string(&address).unwrap();
        let (port, _) = kept.split_once(' ').unwrap();
        fs::write(&address, format!("{port} wrong")).unwrap();
        let answer = tell(&folder.path().join(FOLDER), &["koab://import".to_owned()]);
        assert_ne!(answer.ok().as_deref(), Some(SHOWN));
        fs::write(&address, kept).unwrap();
        assert!(matches!(start(folder.path(), &[]), Start::Shown));
        assert_eq!(shown.recv().unwrap(), Vec::<String>::new());
    }
}

//! One window a workspace: a second start hands what it was asked to show to the window that is
//! there, and ends.
//!
//! A workspace is one process, since the gate to other computers (`koab_engine::egress`) is the
//! process's and has one workspace's switch and log. A second window of that process would ask the
//! same questions twice and tell of each run twice, so the first is brought to the front instead.
//!
//! The window holds a lock in the workspace's own folder: two paths to one folder are one
//! workspace, and a lock ends with its process. Beside it lies where the window listens, on this
//! computer alone, and the secret without which it hears nobody.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::io::{self, Read as _, Write as _};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

const FOLDER: &str = "window";
const LOCK: &str = "lock";
const ADDRESS: &str = "address";

/// What the window that is there answers.
const SHOWN: &str = "shown";

/// How long a window may take to answer, and to say where it listens.
const TIMEOUT: Duration = Duration::from_secs(5);

/// Links and the like, longer than any that is meant.
const LONGEST_REQUEST: u64 = 1 << 20;

/// What came of a start.
pub(crate) enum Start {
    /// This is the workspace's window.
    First(First),
    /// There is one, which shows what was asked for now.
    Shown,
}

/// The right to be the workspace's window, for as long as the process lives.
pub(crate) struct First {
    /// `None` where the disk keeps no lock: then nobody is answered either.
    kept: Option<(File, TcpListener, String)>,
}

/// Becomes the window of this workspace, or has the one that is there show `links`. Where the disk
/// refuses, or the one that is there does not answer, this one opens all the same: two windows are
/// better than none.
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

/// Whether a window of this workspace is there.
pub(crate) fn is_there(home: &Path) -> bool {
    let lock = home.join(FOLDER).join(LOCK);
    File::open(lock).is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
}

impl First {
    /// Calls `show` with what each later start was asked for, from a thread of its own.
    pub(crate) fn serve(self, show: impl Fn(Vec<String>) + Send + 'static) {
        let Some((lock, listener, secret)) = self.kept else {
            return;
        };
        std::thread::spawn(move || {
            // Held while anybody is answered.
            let _lock = lock;
            for stream in listener.incoming().flatten() {
                // Who says nothing sensible, or goes before the answer, changes nothing.
                if let Ok(Some(links)) = request(stream, &secret) {
                    show(links);
                }
            }
        });
    }
}

/// The lock; none while another process has it.
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
    let path = folder.join(ADDRESS);
    // Made anew, so that nobody reads the half of it and only this user reads it at all.
    let made = folder.join(format!("{ADDRESS}.new"));
    let _ = fs::remove_file(&made);
    private(&made)?.write_all(format!("{} {secret}", listener.local_addr()?.port()).as_bytes())?;
    fs::rename(made, path)?;
    Ok((listener, secret))
}

fn private(path: &PathBuf) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.create_new(true).write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Has the window that is there show these; whether it says so. It may have begun a moment ago.
fn hand_over(folder: &Path, links: &[String]) -> bool {
    let begun = Instant::now();
    loop {
        if tell(folder, links).is_ok_and(|answer| answer == SHOWN) {
            return true;
        }
        if begun.elapsed() > TIMEOUT {
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

/// What a later start was asked for, answered; none from who does not know the secret.
fn request(mut stream: TcpStream, secret: &str) -> io::Result<Option<Vec<String>>> {
    stream.set_read_timeout(Some(TIMEOUT))?;
    let mut text = String::new();
    (&stream).take(LONGEST_REQUEST).read_to_string(&mut text)?;
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

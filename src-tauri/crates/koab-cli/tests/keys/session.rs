//! A session bus with a Secret Service on it, both of a home folder of their own.
#![allow(clippy::print_stderr, reason = "a skipped test says so")]

use crate::support::wait::until;
use crate::support::{Koab, Ran, ran};
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::time::Duration;

/// Programs that the tests need, and the Debian packages that bring them.
const NEEDED: [(&str, &str); 4] = [
    ("dbus-run-session", "dbus-daemon"),
    ("gnome-keyring-daemon", "gnome-keyring"),
    ("secret-tool", "libsecret-tools"),
    ("script", "bsdutils"),
];

/// Who keeps secrets on the bus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keeper<'a> {
    /// Nobody.
    Nobody,
    /// Somebody who is known to the bus and does not start.
    Broken,
    /// GNOME Keyring, unlocked with this password at its start.
    Unlocked(&'a str),
    /// GNOME Keyring, never unlocked.
    Locked,
}

/// A session: home folder, bus, keeper of secrets, and a workspace.
pub(crate) struct Session {
    pub(crate) koab: Koab,
    folder: tempfile::TempDir,
    /// `None` when there is no bus.
    address: Option<String>,
    bus: Option<(Child, ChildStdin)>,
    keeper: Option<Child>,
}

/// Whether a real keychain can be had; else a line that says what is skipped.
pub(crate) fn possible(test: &str) -> bool {
    let there = |program: &str| {
        let path = std::env::var_os("PATH").unwrap_or_default();
        std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
    };
    let missing: Vec<&str> =
        NEEDED.iter().filter(|(program, _)| !there(program)).map(|(_, package)| *package).collect();
    if missing.is_empty() {
        return true;
    }
    let line = format!("SKIP: {test}: needs {}", missing.join(", "));
    assert!(std::env::var_os("KOAB_REQUIRE_ALL").is_none(), "{line}");
    eprintln!("{line}");
    if let Some(file) = std::env::var_os("KOAB_SKIP_FILE") {
        let opened = fs::OpenOptions::new().append(true).create(true).open(file);
        let _ = opened.and_then(|mut f| writeln!(f, "{line}"));
    }
    false
}

impl Session {
    /// A session without a bus.
    pub(crate) fn without_bus() -> Self {
        let folder = tempfile::tempdir().expect("a home folder");
        for part in ["home", "run", "services"] {
            fs::create_dir(folder.path().join(part)).expect("a folder");
        }
        use std::os::unix::fs::PermissionsExt as _;
        let private = fs::Permissions::from_mode(0o700);
        fs::set_permissions(folder.path().join("run"), private).expect("a private folder");
        Self { koab: Koab::new(), folder, address: None, bus: None, keeper: None }
    }

    pub(crate) fn new(keeper: Keeper<'_>) -> Self {
        let mut session = Self::without_bus();
        session.start_bus(keeper == Keeper::Broken);
        session.restart_keeper(keeper);
        session
    }

    /// The home folder with everything that the session wrote, the workspace not among it.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Points the session at an address of one's own.
    pub(crate) fn at(mut self, address: String) -> Self {
        self.address = Some(address);
        self
    }

    /// Ends the keeper of secrets and starts it anew in the same home.
    pub(crate) fn restart_keeper(&mut self, keeper: Keeper<'_>) {
        end(self.keeper.take());
        let password = match keeper {
            Keeper::Nobody | Keeper::Broken => return,
            Keeper::Unlocked(password) => Some(password),
            Keeper::Locked => None,
        };
        let mut daemon = self.environment("gnome-keyring-daemon");
        daemon.args(["--foreground", "--components=secrets"]);
        daemon.args(password.map(|_| "--unlock"));
        let mut child = daemon
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the keyring daemon starts");
        let mut stdin = child.stdin.take().expect("its input");
        stdin.write_all(password.unwrap_or_default().as_bytes()).expect("its password");
        drop(stdin);
        self.keeper = Some(child);
        // Silence means that the Secret Service answered and has no such entry.
        until("a Secret Service answers", Duration::from_secs(60), || {
            let complaint = self.secret_tool(&["lookup", "service", "nobody"]).stderr;
            if complaint.is_empty() { Ok(()) } else { Err(complaint) }
        });
    }

    /// `koab` in this session, with no key in its environment.
    pub(crate) fn command(&self, words: &[&str]) -> Command {
        let mut command = self.environment(env!("CARGO_BIN_EXE_koab"));
        command.args(words).env("KOAB_HOME", self.koab.path()).stdin(Stdio::null());
        command
    }

    pub(crate) fn run(&self, words: &[&str]) -> Ran {
        ran(self.command(words).output().expect("koab starts"))
    }

    /// Runs with this on stdin.
    pub(crate) fn piped(&self, words: &[&str], stdin: &str) -> Ran {
        feed(self.command(words), stdin)
    }

    /// The source that `koab keys list` names for a key; `None` when it is absent.
    pub(crate) fn source(&self, name: &str) -> Option<String> {
        let listed = self.run(&["keys", "list", "--json", "--quiet"]);
        assert_eq!(listed.code, 0, "{}", listed.stderr);
        let view: serde_json::Value = serde_json::from_str(&listed.stdout).expect("one JSON document");
        let rows = view["keys"].as_array().expect("rows");
        let row = rows.iter().find(|row| row["name"] == name).expect("a row of this name");
        assert_eq!(row["present"], !row["source"].is_null());
        row["source"].as_str().map(str::to_owned)
    }

    pub(crate) fn secret_tool(&self, words: &[&str]) -> Ran {
        ran(self.environment("secret-tool").args(words).output().expect("secret-tool starts"))
    }

    pub(crate) fn store_with_secret_tool(&self, name: &str, value: &str) {
        let mut command = self.environment("secret-tool");
        command.args(["store", "--label=test", "service", "ko-agentbench", "username", name]);
        let ran = feed(command, value);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
    }

    fn environment(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("LC_ALL", "en_US.UTF-8")
            .env("HOME", self.folder().join("home"))
            .env("XDG_RUNTIME_DIR", self.folder().join("run"))
            .stdin(Stdio::null());
        if let Some(address) = &self.address {
            command.env("DBUS_SESSION_BUS_ADDRESS", address);
        }
        command
    }

    fn start_bus(&mut self, broken: bool) {
        // The system's own configuration would start its keeper of secrets whenever somebody asks for one.
        let services = self.folder().join("services");
        let file = self.folder().join("bus.conf");
        let configuration = format!(
            r#"<busconfig><type>session</type><listen>unix:dir={}</listen><servicedir>{}</servicedir>
               <policy context="default"><allow send_destination="*"/><allow receive_sender="*"/><allow own="*"/></policy>
               </busconfig>"#,
            self.folder().join("run").display(),
            services.display()
        );
        fs::write(&file, configuration).expect("a configuration");
        if broken {
            let service = "[D-BUS Service]\nName=org.freedesktop.secrets\nExec=/bin/false\n";
            fs::write(services.join("org.freedesktop.secrets.service"), service).expect("a service");
        }
        let mut command = self.environment("dbus-run-session");
        command.arg(format!("--config-file={}", file.display())).args([
            "--",
            "sh",
            "-c",
            r#"echo "$DBUS_SESSION_BUS_ADDRESS"; exec cat"#,
        ]);
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("a session bus starts");
        let mut line = String::new();
        let stdout = child.stdout.take().expect("its output");
        BufReader::new(stdout).read_line(&mut line).expect("its address");
        self.address = Some(line.trim().to_owned());
        // The bus lives until this input is closed.
        let stdin = child.stdin.take().expect("its input");
        self.bus = Some((child, stdin));
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        end(self.keeper.take());
        if let Some((mut child, stdin)) = self.bus.take() {
            drop(stdin);
            let _ = child.wait();
        }
    }
}

fn end(child: Option<Child>) {
    if let Some(mut child) = child {
        let _ = child.kill();
        let _ = child.wait();
    }
}

fn feed(mut command: Command, stdin: &str) -> Ran {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    // Who refuses at once does not read.
    let _ = child.stdin.take().expect("its input").write_all(stdin.as_bytes());
    ran(child.wait_with_output().expect("it ends"))
}

/// Every file below these folders.
pub(crate) fn files(folders: &[&Path]) -> Vec<PathBuf> {
    let mut waiting: Vec<PathBuf> = folders.iter().map(|folder| folder.to_path_buf()).collect();
    let mut files = Vec::new();
    while let Some(path) = waiting.pop() {
        let Ok(kind) = fs::symlink_metadata(&path) else {
            continue;
        };
        if kind.is_dir() {
            waiting.extend(fs::read_dir(&path).into_iter().flatten().flatten().map(|e| e.path()));
        } else if kind.is_file() {
            files.push(path);
        }
    }
    files
}

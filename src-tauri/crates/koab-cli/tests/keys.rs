//! Keys, from the command line to the server they are for, against a real Secret Service.
#![cfg(target_os = "linux")]

mod canary;
mod server;
mod session;
mod states;
use crate::support::wait::until;
use crate::support::{Ran, ran};
use server::{Manners, Server};
use session::{Keeper, Session, files, possible};
use std::fs;
use std::io::{Read as _, Write as _};
use std::process::{Command, Stdio};
use std::time::Duration;

const NAME: &str = "OPENAI_COMPAT_API_KEY";
const PASSWORD: &str = "correct horse";

fn one_task(url: &str) -> [&str; 9] {
    ["run", "--model", "openai_compat/m", "--base-url", url, "--tasks", "L1-001", "--quiet", "--json"]
}

/// One sentence on stderr that names these things, and the exit code of what cannot be done (1) or makes no sense (2).
#[track_caller]
fn refused(ran: &Ran, named: &[&str]) {
    let said: Vec<&str> = ran.stderr.lines().filter(|line| line.starts_with("koab: ")).collect();
    assert!(matches!(ran.code, 1 | 2) && said.len() == 1, "{}\n{}", ran.stdout, ran.stderr);
    for name in named {
        assert!(said[0].contains(name), "`{name}` is not in: {}", said[0]);
    }
}

#[track_caller]
fn done(ran: &Ran) {
    assert_eq!(ran.code, 0, "{}\n{}", ran.stdout, ran.stderr);
}

#[test]
fn a_key_is_stored_listed_used_and_deleted() {
    if !possible("a_key_is_stored_listed_used_and_deleted") {
        return;
    }
    let session = Session::new(Keeper::Unlocked(PASSWORD));
    let server = Server::start("sk-right", Manners::default());
    assert_eq!(session.source(NAME), None);
    refused(&session.run(&one_task(&server.base_url)), &["401"]);
    assert_eq!(server.seen(), ["-"]);

    done(&session.piped(&["keys", "set", NAME], "sk-first\n"));
    done(&session.piped(&["keys", "set", "openai_compat_api_key"], "  sk-right\r\n"));
    assert_eq!(session.source(NAME).as_deref(), Some("keychain"));
    done(&session.run(&one_task(&server.base_url)));
    let seen = server.seen();
    assert!(seen.len() >= 2 && seen.iter().all(|key| key == "sk-right"), "{seen:?}");

    // The same entry, seen by another program.
    let entry = ["lookup", "service", "ko-agentbench", "username", NAME];
    assert_eq!(session.secret_tool(&entry).stdout, "sk-right");

    // The environment wins, and is named as the source.
    let mut command = session.command(&one_task(&server.base_url));
    refused(&ran(command.env(NAME, "sk-env").output().unwrap()), &["401"]);
    assert_eq!(server.seen(), ["sk-env"]);
    let mut command = session.command(&["keys", "set", NAME]);
    let set = command.env(NAME, "sk-env").stdin(Stdio::null()).output().unwrap();
    refused(&ran(set), &[NAME, "empty"]);

    done(&session.run(&["keys", "delete", NAME]));
    assert_eq!(session.source(NAME), None);
    assert_eq!(session.secret_tool(&entry).stdout, "");
    refused(&session.run(&["keys", "delete", NAME]), &[NAME, "keychain"]);

    // An entry that another program made is used.
    session.store_with_secret_tool(NAME, "sk-right");
    assert_eq!(session.source(NAME).as_deref(), Some("keychain"));
    done(&session.run(&one_task(&server.base_url)));
}

#[test]
fn what_can_be_no_key_is_refused_in_one_sentence_and_not_stored() {
    if !possible("what_can_be_no_key_is_refused_in_one_sentence_and_not_stored") {
        return;
    }
    let session = Session::new(Keeper::Unlocked(PASSWORD));
    for (words, stdin, named) in [
        (vec!["keys", "set", NAME], "sk-Zq81\nsk-2", vec![NAME, "line break"]),
        (vec!["keys", "set", NAME], "", vec![NAME, "empty"]),
        (vec!["keys", "set", NAME], " \r\n", vec![NAME, "empty"]),
        (vec!["keys", "set", NAME], "sk-Zq81\u{7}", vec![NAME, "control"]),
        (vec!["keys", "set", "OPENAI_APIKEY"], "sk-Zq81", vec!["OPENAI_API_KEY"]),
        (vec!["keys", "set", NAME, "sk-Zq81"], "", vec!["command line"]),
        (vec!["keys", "set", NAME, "sk-Zq81", "Zq81"], "", vec!["command line"]),
        (vec!["keys", "set", "OPENAI_API_KEY=sk-Zq81"], "", vec!["command line"]),
        (vec!["keys", "set", "hf_Zq81Zq81Zq81Zq81"], "", vec!["koab keys list"]),
        (vec!["keys", "delete", "OPENAI_APIKEY"], "", vec!["OPENAI_API_KEY"]),
        (vec!["keys", "import", "/no/such/.env"], "", vec!["/no/such/.env"]),
    ] {
        let ran = session.piped(&words, stdin);
        refused(&ran, &named);
        assert!(!(ran.stderr + &ran.stdout).contains("Zq81"), "{words:?}");
    }
    assert_eq!(session.source(NAME), None);
    // Nothing is asked of a server with an environment variable that can be no key.
    let server = Server::start("sk-right", Manners::default());
    let mut command = session.command(&one_task(&server.base_url));
    let broken = ran(command.env(NAME, "sk-Zq81\nsk-2").output().unwrap());
    refused(&broken, &[NAME, "environment variable", "line break"]);
    assert!(!broken.stderr.contains("Zq81") && server.seen().is_empty());
}

#[test]
fn a_dotenv_file_is_shown_and_then_imported() {
    if !possible("a_dotenv_file_is_shown_and_then_imported") {
        return;
    }
    let session = Session::new(Keeper::Unlocked(PASSWORD));
    let file = session.folder().join("my.env");
    fs::write(
        &file,
        "# mine\nexport OPENAI_COMPAT_API_KEY='sk-right'\nTMAP_APP_KEY=Zq81 # map\nEDITOR=vi\nGROQ_API_KEY=\n",
    )
    .unwrap();
    let words = ["keys", "import", file.to_str().unwrap()];
    let shown = session.run(&words);
    done(&shown);
    insta::assert_snapshot!(shown.stdout, @"
    would be imported: OPENAI_COMPAT_API_KEY, TMAP_APP_KEY
    unknown, left out: EDITOR
    not usable: GROQ_API_KEY on line 5 is empty; give the key as its provider shows it
    ");
    assert_eq!(session.source(NAME), None, "nothing is stored before --yes");
    let stored = session.run(&[&words[..], &["--yes"]].concat());
    done(&stored);
    assert!(!(shown.stdout + &stored.stdout + &stored.stderr).contains("Zq81"));
    assert_eq!(session.source(NAME).as_deref(), Some("keychain"));
    assert_eq!(session.source("TMAP_APP_KEY").as_deref(), Some("keychain"));
    let server = Server::start("sk-right", Manners::default());
    done(&session.run(&one_task(&server.base_url)));
}

#[test]
fn a_file_with_a_passphrase_stands_in_when_it_is_chosen() {
    let session = Session::without_bus();
    let server = Server::start("sk-right-Zq81", Manners::default());
    let with = |words: &[&str], passphrase: &str, stdin: &str| {
        let mut command = session.command(words);
        let mut child = command
            .env("KOAB_KEYS_PASSPHRASE", passphrase)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let _ = child.stdin.take().unwrap().write_all(stdin.as_bytes());
        ran(child.wait_with_output().unwrap())
    };
    let set = ["keys", "set", NAME, "--file"];
    refused(&session.piped(&set, "sk-right-Zq81"), &["keys.age", "KOAB_KEYS_PASSPHRASE"]);
    assert_eq!(session.source(NAME), None);
    done(&with(&set, "Zq81 pass", "sk-right-Zq81"));
    done(&with(&["keys", "set", "TMAP_APP_KEY", "--file"], "Zq81 pass", "map-Zq81"));
    assert_eq!(session.source(NAME).as_deref(), Some("file"), "its names need no passphrase");

    done(&with(&one_task(&server.base_url), "Zq81 pass", ""));
    let seen = server.seen();
    assert!(seen.len() >= 2 && seen.iter().all(|key| key == "sk-right-Zq81"), "{seen:?}");
    refused(&with(&one_task(&server.base_url), "Zq81 pass?", ""), &["keys.age", "passphrase does not open"]);
    refused(&session.run(&one_task(&server.base_url)), &[NAME, "keys.age", "KOAB_KEYS_PASSPHRASE"]);
    refused(&with(&set, "Zq81 pass?", "sk-other"), &["passphrase does not open"]);
    assert!(server.seen().is_empty());
    // Models that need no key ask for no passphrase.
    done(&session.run(&["run", "--model", "baseline/golden", "--tasks", "L1-001"]));

    for path in files(&[session.koab.path(), session.folder()]) {
        assert!(!holds(&fs::read(&path).unwrap(), "Zq81"), "{}", path.display());
    }
    done(&with(&["keys", "delete", NAME, "--file"], "Zq81 pass", ""));
    assert_eq!(session.source(NAME), None);
    done(&with(&["keys", "delete", "TMAP_APP_KEY", "--file"], "Zq81 pass", ""));
    assert!(!session.koab.path().join("keys.age").exists(), "the last key takes the file along");
}

#[test]
fn a_terminal_does_not_show_what_is_typed() {
    if !possible("a_terminal_does_not_show_what_is_typed") {
        return;
    }
    let session = Session::new(Keeper::Unlocked(PASSWORD));
    let koab = session.command(&["keys", "set", NAME]);
    // `script` gives the command a terminal.
    let mut script = Command::new("script");
    script.args(["-qec", &format!("{} keys set {NAME}", koab.get_program().to_str().unwrap()), "/dev/null"]);
    script.env_clear();
    for (name, value) in koab.get_envs() {
        script.env(name, value.unwrap());
    }
    let mut child = script.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let (mut stdin, mut stdout) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let (mut shown, mut byte) = (Vec::new(), [0]);
    while !shown.ends_with(b"): ") && stdout.read(&mut byte).unwrap() == 1 {
        shown.push(byte[0]);
    }
    // rpassword asks first and turns the echo off right after.
    until("the echo is off", Duration::from_secs(60), || echo(child.id()).map(|echo| !echo) == Some(true));
    stdin.write_all(b"sk-typed-Zq81\n").unwrap();
    stdout.read_to_end(&mut shown).unwrap();
    assert!(child.wait().unwrap().success());
    assert!(
        holds(&shown, "stored in the keychain") && !holds(&shown, "Zq81"),
        "{}",
        String::from_utf8_lossy(&shown)
    );
    let entry = ["lookup", "service", "ko-agentbench", "username", NAME];
    assert_eq!(session.secret_tool(&entry).stdout, "sk-typed-Zq81");
}

/// Whether the terminal of a child of this process echoes; `None` where there is no child or no terminal.
fn echo(process: u32) -> Option<bool> {
    let listed = Command::new("pgrep").args(["-P", &process.to_string()]).output().ok()?;
    let child = String::from_utf8(listed.stdout).ok()?;
    let terminal = fs::read_link(format!("/proc/{}/fd/0", child.trim())).ok()?;
    let settings = Command::new("stty").arg("-a").arg("-F").arg(terminal).output().ok()?;
    let settings = String::from_utf8(settings.stdout).ok()?;
    settings.split_whitespace().find_map(|word| match word {
        "echo" => Some(true),
        "-echo" => Some(false),
        _ => None,
    })
}

fn holds(bytes: &[u8], text: &str) -> bool {
    bytes.windows(text.len()).any(|part| part == text.as_bytes())
}

#[test]
fn a_server_with_a_key_of_its_own_is_asked_with_that_one() {
    let session = Session::without_bus();
    let (own, other) =
        (Server::start("sk-own-Zq81", Manners::default()), Server::start("sk-all-Zq81", Manners::default()));
    let with = |words: &[&str], stdin: &str| {
        let mut command = session.command(words);
        let mut child = command
            .env("KOAB_KEYS_PASSPHRASE", "word")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let _ = child.stdin.take().unwrap().write_all(stdin.as_bytes());
        ran(child.wait_with_output().unwrap())
    };
    let name = format!("{NAME}@{}", own.base_url);
    done(&with(&["keys", "set", NAME, "--file"], "sk-all-Zq81"));
    done(&with(&["keys", "set", &name, "--file"], "sk-own-Zq81"));
    for (server, key) in [(&own, "sk-own-Zq81"), (&other, "sk-all-Zq81")] {
        done(&with(&one_task(&server.base_url), ""));
        let seen = server.seen();
        assert!(!seen.is_empty() && seen.iter().all(|sent| sent == key), "{seen:?}");
    }
    assert_eq!(session.source(&name).as_deref(), Some("file"));
    let connect = ["models", "connect", "lab", "--base-url", &own.base_url, "--model", "m"];
    done(&with(&connect, ""));
    assert_eq!(session.source(&name).as_deref(), Some("file"));
    done(&with(&["models", "probe", "lab/m"], ""));
    assert!(own.seen().iter().all(|sent| sent == "sk-own-Zq81"));
    for path in files(&[session.koab.path(), session.folder()]) {
        assert!(!holds(&fs::read(&path).unwrap(), "Zq81"), "{}", path.display());
    }
    done(&with(&["keys", "delete", &name, "--file"], ""));
    assert_eq!(session.source(&name), None);
}

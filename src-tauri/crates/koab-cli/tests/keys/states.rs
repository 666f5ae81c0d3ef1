//! What is said where the keychain is missing, locked or silent: one sentence with its remedy, and nothing hangs.

use crate::keys::server::{Manners, Server};
use crate::keys::session::{Keeper, Session, possible};
use crate::keys::{NAME, PASSWORD, done, one_task, refused};
use crate::support::ran;

/// What is said, without hanging, when a key is to be stored, listed and needed.
fn said_without_keychain(session: &Session) -> String {
    let run = |words: &'static [&'static str]| move || session.run(words);
    let (set, list, doctor, needed) = std::thread::scope(|scope| {
        let set = scope.spawn(|| session.piped(&["keys", "set", NAME], "sk-right"));
        let list = scope.spawn(run(&["keys", "list"]));
        let doctor = scope.spawn(run(&["doctor"]));
        let needed = scope.spawn(run(&["run", "--model", "openai/gpt-4.1-mini", "--tasks", "L1-001"]));
        let (set, list) = (set.join().expect("it ends"), list.join().expect("it ends"));
        (set, list, doctor.join().expect("it ends"), needed.join().expect("it ends"))
    });
    assert_eq!((set.code, needed.code), (1, 1), "{}\n{}", set.stderr, needed.stderr);
    done(&list);
    let line = doctor.stdout.lines().find(|line| line.contains("keychain"));
    assert!(line.is_some_and(|line| line.starts_with("--")), "{}", doctor.stdout);
    assert!(needed.stderr.contains("OPENAI_API_KEY"), "{}", needed.stderr);
    // How the provider words that its key is missing is its own matter; what is added to it is not.
    let added = needed.stderr.trim_end().split_once(" (").map_or("-", |(_, added)| added);
    format!("set:  {}list: {}run:  ({added}", set.stderr, list.stderr)
}

#[test]
fn without_a_bus() {
    insta::assert_snapshot!(said_without_keychain(&Session::without_bus()), @"
    set:  koab: there is no keychain: this session has no D-Bus; start koab in a desktop session, or keep keys in environment variables or in an encrypted file (koab keys set NAME --file)
    list: there is no keychain: this session has no D-Bus; start koab in a desktop session, or keep keys in environment variables or in an encrypted file (koab keys set NAME --file)
    run:  (there is no keychain: this session has no D-Bus)
    ");
}

#[test]
fn without_a_service() {
    if !possible("without_a_service") {
        return;
    }
    let nobody = said_without_keychain(&Session::new(Keeper::Nobody));
    insta::assert_snapshot!(nobody, @"
    set:  koab: there is no keychain: no Secret Service (GNOME Keyring, KWallet, KeePassXC) answers on D-Bus; install and start one, such as gnome-keyring, or keep keys in environment variables or in an encrypted file (koab keys set NAME --file)
    list: there is no keychain: no Secret Service (GNOME Keyring, KWallet, KeePassXC) answers on D-Bus; install and start one, such as gnome-keyring, or keep keys in environment variables or in an encrypted file (koab keys set NAME --file)
    run:  (there is no keychain: no Secret Service (GNOME Keyring, KWallet, KeePassXC) answers on D-Bus)
    ");
    assert_eq!(said_without_keychain(&Session::new(Keeper::Broken)), nobody, "one that does not start");
}

#[test]
fn without_a_keyring() {
    if !possible("without_a_keyring") {
        return;
    }
    insta::assert_snapshot!(said_without_keychain(&Session::new(Keeper::Locked)), @"
    set:  koab: the keychain has no keyring yet; log in to the desktop once or make one with `gnome-keyring-daemon --replace --unlock`, which reads its password from stdin, or keep keys in environment variables or in an encrypted file (koab keys set NAME --file)
    list: the keychain has no keyring yet; log in to the desktop once or make one with `gnome-keyring-daemon --replace --unlock`, which reads its password from stdin, or keep keys in environment variables or in an encrypted file (koab keys set NAME --file)
    run:  (-
    ");
}

#[test]
fn with_a_bus_that_does_not_answer() {
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("bus");
    let listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
    std::thread::spawn(move || {
        let mut kept = Vec::new();
        for stream in listener.incoming() {
            kept.push(stream);
        }
    });
    let session = Session::without_bus().at(format!("unix:path={}", socket.display()));
    insta::assert_snapshot!(said_without_keychain(&session), @"
    set:  koab: the keychain does not answer; restart the keychain service, or keep keys in environment variables or in an encrypted file (koab keys set NAME --file)
    list: the keychain does not answer; restart the keychain service, or keep keys in environment variables or in an encrypted file (koab keys set NAME --file)
    run:  (the keychain does not answer)
    ");
}

#[test]
fn a_locked_keychain_is_said_and_keeps_what_it_has() {
    if !possible("a_locked_keychain_is_said_and_keeps_what_it_has") {
        return;
    }
    let mut session = Session::new(Keeper::Unlocked(PASSWORD));
    let server = Server::start("sk-right", Manners::default());
    done(&session.piped(&["keys", "set", NAME], "sk-right"));
    let mut said = Vec::new();
    for keeper in [Keeper::Locked, Keeper::Unlocked("wrong horse")] {
        session.restart_keeper(keeper);
        said.push(said_without_keychain(&session));
        let run = session.run(&one_task(&server.base_url));
        refused(&run, &[NAME, "locked", "wrong password", "gnome-keyring-daemon"]);
        refused(&session.run(&["keys", "delete", NAME]), &["locked"]);
        assert!(server.seen().is_empty(), "nothing is asked without the key that is meant for it");
        // The environment still wins.
        let mut command = session.command(&one_task(&server.base_url));
        done(&ran(command.env(NAME, "sk-right").output().unwrap()));
        server.seen();
    }
    insta::assert_snapshot!(said[0], @"
    set:  koab: the keychain is locked: it was not unlocked, or with a wrong password; log in to the desktop or unlock it with `gnome-keyring-daemon --replace --unlock`, which reads its password from stdin, or keep keys in environment variables or in an encrypted file (koab keys set NAME --file)
    list: the keychain is locked: it was not unlocked, or with a wrong password; log in to the desktop or unlock it with `gnome-keyring-daemon --replace --unlock`, which reads its password from stdin, or keep keys in environment variables or in an encrypted file (koab keys set NAME --file)
    run:  (-
    ");
    assert_eq!(
        said[0], said[1],
        "a wrong password looks like none from outside, and the sentence names both"
    );
    session.restart_keeper(Keeper::Unlocked(PASSWORD));
    assert_eq!(session.source(NAME).as_deref(), Some("keychain"));
    done(&session.run(&one_task(&server.base_url)));
}

//! Linux: asks the Secret Service over D-Bus for its state and its entries. These calls unlock
//! nothing and open no window. Only `keyring` reads and writes values.

use super::{ANSWER_TIMEOUT, KeychainState, SERVICE};
use std::collections::{BTreeSet, HashMap};
use zbus::blocking::Connection;
use zbus::blocking::connection::Builder;
use zbus::zvariant::{DynamicType, OwnedObjectPath, OwnedValue, Type};

const SECRETS: &str = "org.freedesktop.secrets";
const ROOT: &str = "/org/freedesktop/secrets";

pub(super) fn state() -> KeychainState {
    connect().and_then(|bus| default_keyring(&bus)).unwrap_or_else(|state| state)
}

pub(super) fn stored(names: &[String]) -> Result<BTreeSet<String>, KeychainState> {
    let bus = connect()?;
    let mut entries = BTreeSet::new();
    // One search per name: a locked entry is found by its attributes, but does not reveal them.
    for name in names {
        let attributes = HashMap::from([("service", SERVICE), ("username", name.as_str())]);
        let (open, locked): (Vec<OwnedObjectPath>, Vec<OwnedObjectPath>) =
            ask(&bus, ROOT, "org.freedesktop.Secret.Service", "SearchItems", &(attributes,))?;
        if !open.is_empty() || !locked.is_empty() {
            entries.insert(name.clone());
        }
    }
    Ok(entries)
}

fn connect() -> Result<Connection, KeychainState> {
    let builder = Builder::session().map_err(|_| KeychainState::NoBus)?;
    builder.method_timeout(ANSWER_TIMEOUT).build().map_err(|_| KeychainState::NoBus)
}

fn default_keyring(bus: &Connection) -> Result<KeychainState, KeychainState> {
    let keyring: OwnedObjectPath =
        ask(bus, ROOT, "org.freedesktop.Secret.Service", "ReadAlias", &("default",))?;
    if keyring.as_str() == "/" {
        return Ok(KeychainState::NoKeyring);
    }
    let locked: OwnedValue = ask(
        bus,
        keyring.as_str(),
        "org.freedesktop.DBus.Properties",
        "Get",
        &("org.freedesktop.Secret.Collection", "Locked"),
    )?;
    Ok(match bool::try_from(locked) {
        Ok(false) => KeychainState::Ready,
        Ok(true) => KeychainState::Locked,
        Err(_) => KeychainState::Refuses,
    })
}

fn ask<B, R>(
    bus: &Connection,
    path: &str,
    interface: &str,
    method: &str,
    body: &B,
) -> Result<R, KeychainState>
where
    B: serde::Serialize + DynamicType,
    R: serde::de::DeserializeOwned + Type,
{
    let answer = bus
        .call_method(Some(SECRETS), path, Some(interface), method, body)
        .map_err(|error| meaning(&error))?;
    answer.body().deserialize().map_err(|_| KeychainState::Refuses)
}

/// Translates a D-Bus error to the state of the keychain.
fn meaning(error: &zbus::Error) -> KeychainState {
    match error {
        zbus::Error::MethodError(name, _, _) => match name.as_str() {
            "org.freedesktop.DBus.Error.ServiceUnknown" | "org.freedesktop.DBus.Error.NameHasNoOwner" => {
                KeychainState::NoService
            }
            // The bus knows how to start a service, but starting it fails.
            name if name.starts_with("org.freedesktop.DBus.Error.Spawn.") => KeychainState::NoService,
            "org.freedesktop.DBus.Error.NoReply" | "org.freedesktop.DBus.Error.TimedOut" => {
                KeychainState::Silent
            }
            "org.freedesktop.Secret.Error.IsLocked" => KeychainState::Locked,
            _ => KeychainState::Refuses,
        },
        zbus::Error::InputOutput(error) if error.kind() == std::io::ErrorKind::TimedOut => {
            KeychainState::Silent
        }
        zbus::Error::InputOutput(_) => KeychainState::NoBus,
        _ => KeychainState::Refuses,
    }
}

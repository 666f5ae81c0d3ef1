//! Implements `koab keys`. Values come from a hidden prompt or from stdin, never from the command
//! line.

use crate::CommandEnd;
use crate::args::keys::KeysCommand;
use crate::output::{Columns, Output};
use koab_api::{
    Api, Import, ImportPreview, KeyChange, KeyOrigin, KeyPlace, KeychainState, KeysView, PassphrasePurpose,
    Sensitive, WireError,
};
use koab_core::sentence::Language;
use koab_core::sentence::Sentence;
use koab_core::{say, text};
use std::io::{IsTerminal as _, Read as _};

/// Maximum number of bytes read from stdin as a value. No key is longer.
const MAX_STDIN_BYTES: u64 = 64 * 1024;

pub(crate) async fn keys(api: &Api, command: KeysCommand, output: Output) -> Result<CommandEnd, WireError> {
    match command {
        KeysCommand::List => list(api, output).await,
        KeysCommand::Set { name, value, file } => {
            if !value.is_empty() {
                return Err(WireError::bad_request(say!(
                    "a key does not belong on the command line, where other programs and the shell's history see it; give the name alone and type or pipe the key, and treat this key as exposed"
                )));
            }
            set(api, &name, place(file), output).await
        }
        KeysCommand::Delete { name, file } => {
            let change = api.keys.delete(&name, place(file)).await?;
            output.result(&change, || {
                let (place, lang) = (where_kept(change.place, output.lang), output.lang);
                lang.say(&say!("{name}: deleted from {place}", name = change.name))
            });
            warn(&change, output);
            Ok(CommandEnd::Done)
        }
        KeysCommand::Import { path, yes, file } => {
            let import = Import::read(&path)?;
            if !yes {
                return preview(import, output);
            }
            require(api, place(file)).await?;
            let done = api.keys.import(import, place(file)).await?;
            output.result(&done, || described(&done, output.lang, output.lang.text(text!("imported"))));
            Ok(CommandEnd::Done)
        }
    }
}

/// Lets the API ask for the passphrase of the key file if the program runs on a terminal.
pub(crate) fn offer_terminal(api: &Api, lang: Language) {
    api.keys.ask_passphrase_with(Box::new(move |asked| {
        let ask = |text: &str| rpassword::prompt_password(text).ok().map(Sensitive::new);
        match asked {
            PassphrasePurpose::ToOpen => ask(lang.text(text!("Passphrase of the file of keys: "))),
            PassphrasePurpose::ToMake => (0..3).find_map(|_| {
                let first = ask(lang.text(text!("New passphrase of the file of keys: ")))?;
                let again = ask(lang.text(text!("Once more: ")))?;
                (first == again).then_some(first)
            }),
        }
    }));
}

async fn list(api: &Api, output: Output) -> Result<CommandEnd, WireError> {
    let view = api.keys.list().await?;
    output.result(&view, || table(&view, output.lang));
    if view.keychain != KeychainState::Ready {
        output.remark(&output.lang.say(&view.keychain_sentence));
    }
    Ok(CommandEnd::Done)
}

async fn set(api: &Api, name: &str, place: KeyPlace, output: Output) -> Result<CommandEnd, WireError> {
    let name = api.keys.name(name)?;
    // A user should not type a key only to learn that it cannot be stored.
    require(api, place).await?;
    let value = read_value(name.clone(), output.lang).await?;
    let change = api.keys.set(&name, &value, place).await?;
    output.result(&change, || {
        let place = where_kept(place, output.lang);
        output.lang.say(&say!("{name}: stored in {place}"))
    });
    warn(&change, output);
    Ok(CommandEnd::Done)
}

/// Fails if keys should be stored in a keychain and this computer has no usable keychain. A locked
/// keychain is accepted, because the user may unlock it.
async fn require(api: &Api, place: KeyPlace) -> Result<(), WireError> {
    if place != KeyPlace::Keychain {
        return Ok(());
    }
    match api.keys.keychain_state().await {
        KeychainState::Ready | KeychainState::Locked | KeychainState::NoKeyring => Ok(()),
        state => Err(WireError::storage(state.sentence())),
    }
}

async fn read_value(name: String, lang: Language) -> Result<Sensitive<String>, WireError> {
    let prompt = name.clone();
    let read = move || {
        let stdin = std::io::stdin();
        if stdin.is_terminal() {
            return rpassword::prompt_password(format!("{prompt} ({}): ", lang.text(text!("not shown"))));
        }
        let mut bytes = Vec::new();
        stdin.lock().take(MAX_STDIN_BYTES).read_to_end(&mut bytes)?;
        String::from_utf8(bytes).map_err(|_| std::io::Error::other("it is not text"))
    };
    let value = tokio::task::spawn_blocking(read).await.map_err(WireError::internal)?;
    value
        .map(Sensitive::new)
        .map_err(|error| WireError::bad_request(say!("the value of {name} cannot be read: {error}")))
}

fn preview(import: Import, output: Output) -> Result<CommandEnd, WireError> {
    output.result(&import.preview, || {
        described(&import.preview, output.lang, output.lang.text(text!("would be imported")))
    });
    if import.preview.known.is_empty() {
        return Err(WireError::bad_request(say!(
            "the file has no key that is known here; `koab keys list` shows the names"
        )));
    }
    output.remark(output.lang.text(text!("Nothing is stored yet; add --yes to store them.")));
    Ok(CommandEnd::Done)
}

fn described(preview: &ImportPreview, lang: Language, verb: &str) -> String {
    let reasons_text = |all: &[Sentence]| all.iter().map(|one| lang.say(one)).collect();
    let mut text = String::new();
    for (title, names) in [
        (verb, preview.known.clone()),
        (lang.text(text!("unknown, left out")), reasons_text(&preview.unknown)),
        (lang.text(text!("not usable")), reasons_text(&preview.refused)),
    ] {
        if !names.is_empty() {
            text.push_str(&format!("{title}: {}\n", names.join(", ")));
        }
    }
    text
}

fn table(view: &KeysView, lang: Language) -> String {
    Columns::new(view.keys.iter(), lang)
        .column(text!("name"), |key| &key.name)
        .column(text!("state"), |key| {
            if key.present { lang.text(text!("present")) } else { lang.text(text!("absent")) }
        })
        .column(text!("source"), |key| match key.source {
            None => "",
            Some(KeyOrigin::Environment) => lang.text(text!("environment")),
            Some(KeyOrigin::Session) => lang.text(text!("session")),
            Some(KeyOrigin::Keychain) => lang.text(text!("keychain")),
            Some(KeyOrigin::File) => lang.text(text!("file")),
        })
        .prose(text!("used by"), |key| &key.asked_by)
        .text()
}

fn warn(change: &KeyChange, output: Output) {
    if change.environment_wins {
        output.remark(
            &output.lang.say(&say!("The environment variable {name} is set and wins.", name = change.name)),
        );
    }
}

fn place(file: bool) -> KeyPlace {
    if file { KeyPlace::File } else { KeyPlace::Keychain }
}

fn where_kept(place: KeyPlace, lang: Language) -> &'static str {
    match place {
        KeyPlace::Keychain => lang.text(text!("the keychain")),
        KeyPlace::File => lang.text(text!("the encrypted file")),
        KeyPlace::Session => lang.text(text!("this session")),
    }
}

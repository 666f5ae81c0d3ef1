//! `koab keys`. Values come from a prompt that shows nothing or from stdin, never from the command line.

use crate::Ended;
use crate::args::KeysCommand;
use crate::lang::Lang;
use crate::output::{Output, columns};
use koab_api::{
    Api, Asked, ErrorCode, Import, ImportPreview, KeyChange, KeyOrigin, KeyPlace, KeychainState, KeysView,
    Sensitive, WireError,
};
use std::io::{IsTerminal as _, Read as _};

/// Bytes of stdin that are read as a value; more is no key.
const STDIN_BYTES: u64 = 64 * 1024;

pub(crate) async fn keys(api: &Api, command: KeysCommand, output: Output) -> Result<Ended, WireError> {
    match command {
        KeysCommand::List => list(api, output).await,
        KeysCommand::Set { name, value, file } => {
            if !value.is_empty() {
                return Err(WireError::bad_request(
                    "a key does not belong on the command line, where other programs and the shell's history see it; \
                     give the name alone and type or pipe the key, and consider this one known to others",
                ));
            }
            set(api, &name, place(file), output).await
        }
        KeysCommand::Delete { name, file } => {
            let change = api.key_delete(&name, place(file)).await?;
            output.result(&change, || {
                let (place, lang) = (where_kept(change.place, output.lang), output.lang);
                match lang {
                    Lang::Ko => format!("{}: {place}에서 삭제했습니다", change.name),
                    Lang::En => format!("{}: deleted from {place}", change.name),
                }
            });
            warn(&change, output);
            Ok(Ended::Done)
        }
        KeysCommand::Import { path, yes, file } => {
            let import = Import::read(&path)?;
            if !yes {
                return preview(import, output);
            }
            require(api, place(file)).await?;
            let done = api.keys_import(import, place(file)).await?;
            output.result(&done, || {
                described(&done, output.lang, output.lang.pick("가져옴", "imported"))
            });
            Ok(Ended::Done)
        }
    }
}

/// Lets the API ask for the passphrase of the file of keys where there is a terminal.
pub(crate) fn offer_terminal(api: &Api, lang: Lang) {
    api.ask_passphrase_with(Box::new(move |asked| {
        let ask = |text: &str| rpassword::prompt_password(text).ok().map(Sensitive::new);
        match asked {
            Asked::ToOpen => ask(lang.pick("키 파일의 암호: ", "Passphrase of the file of keys: ")),
            Asked::ToMake => (0..3).find_map(|_| {
                let first = ask(lang.pick("키 파일의 새 암호: ", "New passphrase of the file of keys: "))?;
                let again = ask(lang.pick("한 번 더: ", "Once more: "))?;
                (first == again).then_some(first)
            }),
        }
    }));
}

async fn list(api: &Api, output: Output) -> Result<Ended, WireError> {
    let view = api.keys_list().await?;
    output.result(&view, || table(&view, output.lang));
    if view.keychain != KeychainState::Ready {
        output.remark(&output.lang.said(&view.keychain_sentence));
    }
    Ok(Ended::Done)
}

async fn set(api: &Api, name: &str, place: KeyPlace, output: Output) -> Result<Ended, WireError> {
    let name = api.key_name(name)?;
    // Nobody should type a key and only then hear that it cannot be kept.
    require(api, place).await?;
    let value = read_value(name, output.lang).await?;
    let change = api.key_set(name, &value, place).await?;
    output.result(&change, || {
        let place = where_kept(place, output.lang);
        match output.lang {
            Lang::Ko => format!("{name}: {place}에 저장했습니다"),
            Lang::En => format!("{name}: stored in {place}"),
        }
    });
    warn(&change, output);
    Ok(Ended::Done)
}

/// Stops when the keychain is asked for and there is none. A locked one may still be unlocked by whoever is asked.
async fn require(api: &Api, place: KeyPlace) -> Result<(), WireError> {
    if place != KeyPlace::Keychain {
        return Ok(());
    }
    match api.keychain_state().await {
        KeychainState::Ready | KeychainState::Locked | KeychainState::NoKeyring => Ok(()),
        state => Err(WireError::new(ErrorCode::Storage, state.sentence())),
    }
}

async fn read_value(name: &'static str, lang: Lang) -> Result<Sensitive<String>, WireError> {
    let read = move || {
        let stdin = std::io::stdin();
        if stdin.is_terminal() {
            return rpassword::prompt_password(format!(
                "{name} ({}): ",
                lang.pick("표시되지 않음", "not shown")
            ));
        }
        let mut bytes = Vec::new();
        stdin.lock().take(STDIN_BYTES).read_to_end(&mut bytes)?;
        String::from_utf8(bytes).map_err(|_| std::io::Error::other("it is no text"))
    };
    let value = tokio::task::spawn_blocking(read)
        .await
        .map_err(WireError::internal)?;
    value
        .map(Sensitive::new)
        .map_err(|error| WireError::bad_request(format!("the value of {name} cannot be read: {error}")))
}

fn preview(import: Import, output: Output) -> Result<Ended, WireError> {
    output.result(&import.preview, || {
        described(
            &import.preview,
            output.lang,
            output.lang.pick("가져올 키", "would be imported"),
        )
    });
    if import.preview.known.is_empty() {
        return Err(WireError::bad_request(
            "the file has no key that is known here; `koab keys list` shows the names",
        ));
    }
    output.remark(output.lang.pick(
        "아직 저장하지 않았습니다. 저장하려면 --yes를 붙이세요.",
        "Nothing is stored yet; add --yes to store them.",
    ));
    Ok(Ended::Done)
}

fn described(preview: &ImportPreview, lang: Lang, verb: &str) -> String {
    let mut text = String::new();
    for (title, names) in [
        (verb, &preview.known),
        (lang.pick("모르는 이름", "unknown, left out"), &preview.unknown),
        (lang.pick("쓸 수 없음", "not usable"), &preview.refused),
    ] {
        if !names.is_empty() {
            text.push_str(&format!("{title}: {}\n", names.join(", ")));
        }
    }
    text
}

fn table(view: &KeysView, lang: Lang) -> String {
    let rows: Vec<Vec<String>> = view
        .keys
        .iter()
        .map(|key| {
            let source = match key.source {
                None => "",
                Some(KeyOrigin::Environment) => lang.pick("환경 변수", "environment"),
                Some(KeyOrigin::Session) => lang.pick("이 세션", "session"),
                Some(KeyOrigin::Keychain) => lang.pick("키체인", "keychain"),
                Some(KeyOrigin::File) => lang.pick("파일", "file"),
            };
            let present = if key.present {
                lang.pick("있음", "present")
            } else {
                lang.pick("없음", "absent")
            };
            vec![
                key.name.clone(),
                present.to_owned(),
                source.to_owned(),
                key.asked_by.clone(),
            ]
        })
        .collect();
    let header = [
        lang.pick("이름", "name"),
        lang.pick("상태", "state"),
        lang.pick("출처", "source"),
        lang.pick("쓰는 곳", "asked for by"),
    ];
    columns(&header, &rows)
}

fn warn(change: &KeyChange, output: Output) {
    if change.environment_wins {
        output.remark(&match output.lang {
            Lang::Ko => format!("환경 변수 {}가 설정되어 있어 그 값이 쓰입니다.", change.name),
            Lang::En => format!("The environment variable {} is set and wins.", change.name),
        });
    }
}

fn place(file: bool) -> KeyPlace {
    if file { KeyPlace::File } else { KeyPlace::Keychain }
}

fn where_kept(place: KeyPlace, lang: Lang) -> &'static str {
    match place {
        KeyPlace::Keychain => lang.pick("키체인", "the keychain"),
        KeyPlace::File => lang.pick("암호화된 파일", "the encrypted file"),
        KeyPlace::Session => lang.pick("이 세션", "this session"),
    }
}

//! `koab offline`.

use crate::Ended;
use crate::args::OfflineCommand;
use crate::output::Output;
use koab_api::{Api, OfflineForced, OfflineView, WireError};

pub(crate) fn offline(
    api: &Api,
    command: Option<OfflineCommand>,
    output: Output,
) -> Result<Ended, WireError> {
    let view = match command {
        Some(OfflineCommand::On) => api.offline_set(true)?,
        Some(OfflineCommand::Off) => api.offline_set(false)?,
        Some(OfflineCommand::Status) | None => api.offline(),
    };
    output.result(&view, || described(view, output));
    Ok(Ended::Done)
}

fn described(view: OfflineView, output: Output) -> String {
    let lang = output.lang;
    let state = match (view.on, view.kept) {
        (false, _) => lang.pick(
            "꺼짐: 사용자가 지정한 곳에 요청을 보냅니다",
            "off: what you ask for is sent where you named",
        ),
        (true, true) => lang.pick(
            "켜짐: 이 컴퓨터 밖으로 아무것도 나가지 않습니다(끄기: koab offline off)",
            "on: nothing leaves this computer (off again: koab offline off)",
        ),
        (true, false) => lang.pick(
            "켜짐: 이 컴퓨터 밖으로 아무것도 나가지 않습니다",
            "on: nothing leaves this computer",
        ),
    };
    let forced = view.forced.map(|forced| match forced {
        OfflineForced::Option => lang.pick("--offline이 켰습니다", "--offline says so"),
        OfflineForced::Environment => lang.pick(
            "환경 변수 KOAB_OFFLINE이 켰습니다. 스위치와 상관없이 적용됩니다",
            "KOAB_OFFLINE says so, whatever the switch says",
        ),
    });
    let name = lang.pick("오프라인", "offline");
    match forced {
        Some(forced) => format!("{name} {state}\n{forced}"),
        None => format!("{name} {state}"),
    }
}

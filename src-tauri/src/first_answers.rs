//! Answers to the page's first commands, embedded in the page so that its first screen is never
//! empty. The engine computes them while the web view's processes start.

use koab_api::{Api, Nobody};
use std::borrow::Cow;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tauri::http::{Request, Response};

/// Commands of the first screen, the slowest last. None of them has arguments.
const COMMANDS: [&str; 5] = ["app_info", "settings_get", "models_list", "packs_list", "runs_list"];

/// Answers that are ready when the page is requested.
#[derive(Default)]
pub(crate) struct FirstAnswers(Mutex<State>);

#[derive(Default)]
struct State {
    /// Answers as members of a JSON object, each as text.
    members: Vec<String>,
    /// Whether the page has been requested. From then on the page runs all commands itself, even
    /// after a reload.
    over: bool,
}

impl FirstAnswers {
    /// Runs the commands until the page is requested. Failed commands are left out: the page runs
    /// them again and gets the error.
    pub(crate) async fn ask(&self, api: &Api) {
        for command in COMMANDS {
            let answer = api.call(command, serde_json::json!({}), Arc::new(Nobody)).await;
            let mut state = self.state();
            if state.over {
                return;
            }
            if let Ok(answer) = answer {
                state.members.push(format!("\"{command}\":{answer}"));
            }
        }
    }

    /// Embeds the answers in the page at its first request. Later requests get the page without
    /// answers, because the answers would be outdated.
    pub(crate) fn write(&self, request: &Request<Vec<u8>>, response: &mut Response<Cow<'static, [u8]>>) {
        if !matches!(request.uri().path(), "" | "/" | "/index.html") {
            return;
        }
        let members = {
            let mut state = self.state();
            state.over = true;
            std::mem::take(&mut state.members)
        };
        if members.is_empty() {
            return;
        }
        // The text of an answer must not close the element.
        let answers = members.join(",").replace('<', "\\u003c");
        let element = format!(r#"<script type="application/json" id="first-answers">{{{answers}}}</script>"#);
        response.body_mut().to_mut().extend_from_slice(element.as_bytes());
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    const PAGE: &str = "<!doctype html><body></body>";

    fn page(answers: &FirstAnswers, path: &str) -> String {
        let request = Request::builder().uri(format!("tauri://localhost{path}")).body(Vec::new()).unwrap();
        let mut response = Response::new(Cow::Borrowed(PAGE.as_bytes()));
        answers.write(&request, &mut response);
        String::from_utf8(response.into_body().into_owned()).unwrap()
    }

    #[test]
    fn the_page_has_them_once_and_no_text_of_theirs_ends_them() {
        let folder = tempfile::tempdir().unwrap();
        let home = folder.path().join("</script>");
        let api = Api::open(Some(home.clone())).unwrap();
        let answers = FirstAnswers::default();
        tauri::async_runtime::block_on(answers.ask(&api));
        assert_eq!(page(&answers, "/assets/index.js"), PAGE);
        let written = page(&answers, "/index.html");
        let element = written.strip_prefix(PAGE).unwrap();
        let (_, json) = element.split_once('>').unwrap();
        let (json, rest) = json.split_once("</script>").unwrap();
        assert_eq!(rest, "");
        let found: Value = serde_json::from_str(json).unwrap();
        let mut names: Vec<&String> = found.as_object().unwrap().keys().collect();
        names.sort_unstable();
        let mut asked = COMMANDS;
        asked.sort_unstable();
        assert_eq!(names, asked);
        assert_eq!(found["settings_get"]["home"], home.to_str().unwrap());
        assert_eq!(page(&answers, "/"), PAGE, "they are old by then");
    }

    #[test]
    fn a_page_that_came_before_them_asks_itself() {
        let folder = tempfile::tempdir().unwrap();
        let api = Api::open(Some(folder.path().to_owned())).unwrap();
        let answers = FirstAnswers::default();
        assert_eq!(page(&answers, "/"), PAGE);
        tauri::async_runtime::block_on(answers.ask(&api));
        assert_eq!(page(&answers, "/"), PAGE);
    }
}

use super::*;

fn form(server: RecordingServer) -> RecordingRequest {
    RecordingRequest {
        name: " kept ".to_owned(),
        server,
        env: vec![" KEY ".to_owned(), "  ".to_owned(), "OTHER".to_owned()],
        mask: true,
        work: Some("  ".to_owned()),
    }
}

fn command(line: &str) -> RecordingServer {
    RecordingServer::Command { line: line.to_owned() }
}

#[test]
fn a_form_becomes_a_request_without_what_is_empty() {
    let request = form(command("npx -y 'a server' --x=\"1 2\"")).into_request().expect("a request");
    let words = ["npx", "-y", "a server", "--x=1 2"].map(str::to_owned).to_vec();
    assert_eq!((request.server, request.name.as_str()), (ServerAt::Command(words), "kept"));
    assert_eq!(
        (request.env, request.mask, request.work),
        (vec!["KEY".to_owned(), "OTHER".to_owned()], true, None)
    );
    assert!(request.limit == ANSWER_TIMEOUT && !request.update && request.ignore.is_empty());
    let at = |header: &str| RecordingServer::Url {
        url: " http://127.0.0.1:1/mcp ".to_owned(),
        header_env: Some(header.to_owned()),
    };
    for (header, found) in [(" TOKEN ", Some("TOKEN".to_owned())), ("  ", None)] {
        let request = form(at(header)).into_request().expect("a request");
        let url = "http://127.0.0.1:1/mcp".to_owned();
        assert_eq!(request.server, ServerAt::Url { url, header_env: found });
    }
    let worked = RecordingRequest { work: Some(" /tmp/w ".to_owned()), ..form(command("x")) };
    assert_eq!(worked.into_request().expect("a request").work, Some(PathBuf::from("/tmp/w")));
}

#[test]
fn a_line_that_is_no_command_is_refused() {
    for (line, sentence) in [
        ("", "there is no command; write the server's"),
        ("   ", "there is no command; write the server's"),
        ("npx 'open", "the command has a quote that is not closed; close it"),
        ("npx \"open", "the command has a quote that is not closed; close it"),
    ] {
        let error = form(command(line)).into_request().err().expect("refused");
        assert_eq!(error.message.to_string(), sentence);
    }
}

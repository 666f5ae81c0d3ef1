use super::{LAST_LINES, LINE, MAX_OUTPUT_BYTES, Output};
use proptest::prelude::*;
use tempfile::TempDir;

fn output(secrets: &[&str]) -> (Output, TempDir) {
    let folder = tempfile::tempdir().expect("a folder");
    let secrets: Vec<String> = secrets.iter().map(|one| (*one).to_owned()).collect();
    let output = Output::into_file(&folder.path().join("console.log"), &secrets).expect("a file");
    (output, folder)
}

fn console(folder: &TempDir) -> String {
    std::fs::read_to_string(folder.path().join("console.log")).expect("a console")
}

#[tokio::test]
async fn standard_output_is_as_it_came_and_errors_are_on_the_console_alone() {
    let (output, folder) = output(&["sk-secret-1"]);
    output.take(b"key sk-sec", true).await;
    output.take(b"warning\n", false).await;
    output.take(b"ret-1 end\n", true).await;
    assert_eq!(output.stdout(), "key sk-secret-1 end\n", "an answer is looked for in it");
    let words = output.last_words();
    assert!(!words.contains("sk-secret-1") && words.contains("warning"), "{words}");
    assert!(!console(&folder).contains("sk-secret-1 "));
}

#[tokio::test]
async fn the_last_words_are_the_last_lines_without_colours() {
    let (output, _folder) = output(&[]);
    for number in 1..=30 {
        output.take(format!("\u{1b}[31mline {number}\u{1b}[0m\n").as_bytes(), false).await;
    }
    let words = output.last_words();
    let lines: Vec<&str> = words.lines().collect();
    assert_eq!(lines.len(), LAST_LINES);
    assert_eq!((lines[0], lines[LAST_LINES - 1]), ("line 11", "line 30"));
    let (output, _folder) = self::output(&[]);
    output.take("가".repeat(5000).as_bytes(), true).await;
    let words = output.last_words();
    assert!(words.len() <= 4096 && words.chars().all(|letter| letter == '가'));
}

#[tokio::test]
async fn what_is_written_without_end_is_kept_up_to_a_limit() {
    let (output, folder) = output(&[]);
    let piece = vec![b'x'; 1 << 20];
    for number in 1..=20 {
        output.take(&piece, true).await;
        assert_eq!(output.is_cut(), number > MAX_OUTPUT_BYTES / piece.len(), "after {number} MiB");
    }
    assert_eq!(output.stdout().len(), MAX_OUTPUT_BYTES);
    let kept = std::fs::metadata(folder.path().join("console.log")).expect("a console").len();
    assert!(kept <= MAX_OUTPUT_BYTES as u64 + 4096, "{kept}");
}

#[tokio::test]
async fn a_line_that_is_too_long_is_none_and_the_next_one_is() {
    let (output, _folder) = output(&[]);
    let (output, mut lines) = output.by_lines();
    let piece = vec![b'x'; LINE / 2];
    for piece in [&piece[..], &piece, &piece, b"\nnext\n"] {
        output.take(piece, true).await;
    }
    assert!(output.is_cut());
    drop(output);
    assert_eq!(lines.recv().await.expect("a line").trim_end().len(), LINE, "what did not fit is left out");
    assert_eq!(lines.recv().await.as_deref(), Some("next\n"));
    assert_eq!(lines.recv().await, None);
}

#[tokio::test]
async fn errors_are_no_lines_of_a_protocol() {
    let (output, _folder) = output(&[]);
    let (output, mut lines) = output.by_lines();
    output.take(b"{\"half\":", true).await;
    output.take(b"warning\n", false).await;
    output.take(b" 1}\nrest without end", true).await;
    drop(output);
    assert_eq!(lines.recv().await.as_deref(), Some("{\"half\": 1}\n"));
    assert_eq!(lines.recv().await, None, "half a line is none");
}

proptest! {
    #![proptest_config(koab_draws::config(128))]

    /// Lines and text are the same, wherever a program's writes are cut: also within a letter and within a secret.
    #[test]
    fn any_cut_gives_the_same_lines_and_the_same_console(
        text in "([a-c가\n]|sk-secret-1){0,40}",
        cuts in proptest::collection::vec(1..7_usize, 1..30),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        let (lines, kept) = runtime.block_on(async {
            let (output, folder) = output(&["sk-secret-1"]);
            let (output, mut lines) = output.by_lines();
            let (mut rest, mut sizes) = (text.as_bytes(), cuts.iter().cycle());
            while !rest.is_empty() {
                let (piece, more) = rest.split_at(rest.len().min(*sizes.next().expect("a cycle")));
                output.take(piece, true).await;
                rest = more;
            }
            output.last_words();
            drop(output);
            let mut all = Vec::new();
            while let Some(line) = lines.recv().await {
                all.push(line);
            }
            (all, console(&folder))
        });
        let whole: Vec<&str> = text.split_inclusive('\n').filter(|line| line.ends_with('\n')).collect();
        prop_assert_eq!(lines, whole);
        prop_assert_eq!(kept, text.replace("sk-secret-1", "[secret]"));
    }
}

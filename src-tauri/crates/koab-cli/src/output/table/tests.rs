use super::*;

fn rows(rows: &[&[&str]]) -> Vec<Vec<String>> {
    rows.iter().map(|row| row.iter().map(|cell| (*cell).to_owned()).collect()).collect()
}

fn widest(text: &str) -> usize {
    text.lines().map(|line| line.width()).max().unwrap_or(0)
}

#[test]
fn korean_is_two_columns_wide_and_a_dash_one() {
    let all = rows(&[&["a — b", "—", "x"], &["한글", "0.5", "y"]]);
    let table = Columns::grid(&["이름", "값", "끝"], &all, Language::ENGLISH);
    insta::assert_snapshot!(table.fitted(None), @"
    이름   값   끝
    a — b  —    x
    한글   0.5  y
    ");
}

#[test]
fn long_cells_go_on_in_the_next_line_and_nothing_is_lost() {
    let all = rows(&[&["model_server", "no", "start one, or give --base-url of the one that runs"]]);
    let table = Columns::grid(&["what", "ok", "remedy"], &all, Language::ENGLISH);
    insta::assert_snapshot!(table.fitted(Some(40)), @"
    what          ok  remedy
    model_server  no  start one, or give
                      --base-url of the one
                      that runs
    ");
}

#[test]
fn columns_are_left_out_before_a_name_is_broken() {
    let all = rows(&[&["azure_gpt-4o_20251219", "azure/gpt-4o", "0.6566", "documented"]]);
    let header = ["report", "model", "value", "reading"];
    let table = Columns::grid(&header, &all, Language::ENGLISH).spare([1, 3]);
    for (width, lost) in [
        (60, ""),
        (46, "(left out at this width: model; --wide shows all)"),
        (34, "(left out at this width: model, reading; --wide shows all)"),
        (21, "(left out at this width: model, value, reading; --wide shows all)"),
    ] {
        let text = table.fitted(Some(width));
        assert!(widest(&text) <= width, "{width}\n{text}");
        assert!(text.contains("azure_gpt-4o_20251219"), "{width}\n{text}");
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.ends_with(lost), "{width}\n{text}");
        assert_eq!(words.contains("left out"), !lost.is_empty(), "{width}\n{text}");
    }
}

#[test]
fn values_go_before_prose_and_prose_is_cut_before_it_hides_the_rest() {
    let cause = "tool ".repeat(80);
    let rows = [("L1-001", "read", "/a/path/without/any/blank/in/it/that/is/long", cause.as_str())];
    let table = Columns::new(&rows, Language::ENGLISH)
        .column("state", |row| row.1)
        .id("task", |row| row.0)
        .prose("file", |row| row.2)
        .prose("why", |row| row.3);
    insta::assert_snapshot!(table.fitted(Some(50)), @"
    task    file                     why
    L1-001  /a/path/without/any/bla  tool tool tool
            nk/in/it/that/is/long    tool tool tool
                                     tool tool tool
                                     tool tool tool
                                     tool tool tool
                                     tool tool tool
                                     tool tool tool
                                     tool tool tool…
    (left out at this width: state; --wide shows all)
    (… long cells are cut at this width; --wide shows
    all)
    ");
    let whole = table.fitted(None);
    assert!(whole.contains(rows[0].2) && whole.contains(cause.trim()), "{whole}");
}

#[test]
fn a_picture_is_in_one_piece_or_not_there() {
    let all = [("1", " ·  +  = "), ("2", " -  ·  x ")];
    let table = Columns::new(&all, Language::ENGLISH).id("№", |row| row.0).picture("pairs", |row| row.1);
    let text = table.fitted(Some(12));
    assert!(text.contains("1   ·  +  =\n"), "{text}");
    let text = table.fitted(Some(11));
    assert!(!text.contains('+') && text.contains("pairs;"), "{text}");
}

#[test]
fn a_table_in_a_file_has_every_column() {
    let _ = TERMINAL.set(20);
    let all = rows(&[&["azure_gpt-4o_20251219", "azure/gpt-4o"]]);
    let text = || columns(&["report", "model"], &all, Language::ENGLISH);
    assert!(!text().contains("azure/gpt-4o"));
    assert!(for_file(text).contains("azure/gpt-4o"));
    assert!(!text().contains("azure/gpt-4o"));
}

#[test]
fn any_table_fits_any_terminal() {
    let cells = [
        "",
        "—",
        "한국어로 쓴 긴 문장이 여기에 있습니다",
        "a_word_that_is_longer_than_its_column_can_be",
        "\u{1b}[31mred\nnext",
        "+0.1234",
        "openai_compat_hf.co_a-model-with-a-name-that-fills-more-than-a-whole-line-of-a-terminal/20251219_113310",
    ];
    for count in 1..=12 {
        for first in 0..cells.len() {
            let row: Vec<String> =
                (0..count).map(|at| cells[(first + at) % cells.len()].to_owned()).collect();
            for kinds in 0..4 {
                let one = [&row];
                let mut table = Columns::new(one, Language::KOREAN);
                for at in 0..count {
                    let cell = |row: &Vec<String>| row[at].clone();
                    table = match (kinds + at) % 4 {
                        0 => table.column("제목 title", cell),
                        1 => table.prose("제목 title", cell),
                        2 => table.picture("제목 title", cell),
                        _ => table.column("값", cell),
                    };
                }
                for width in [40, 80, 100, 120] {
                    let text = table.fitted(Some(width));
                    assert!(widest(&text) <= width, "{count} columns in {width}\n{text}");
                    assert!(!text.contains('\u{1b}'));
                }
            }
        }
    }
}

use super::{MAX_EXCERPT_CHARS, cleaned, excerpt};
use proptest::prelude::*;

#[test]
fn what_a_terminal_would_not_show_is_taken_out() {
    for (text, clean) in [
        ("\u{1b}[1;31mred\u{1b}[0m", "red"),
        ("\u{1b}[?25lhidden\u{1b}[2K cursor", "hidden cursor"),
        ("\u{1b}]0;a title\u{7}text", "text"),
        ("\u{1b}]8;;http://a\u{1b}\\link\u{1b}]8;;\u{1b}\\", "link"),
        ("\u{1b}(Bplain", "Bplain"),
        ("a\tb\r\nc\rd", "a\tb\ncd"),
        ("null\u{0}bell\u{7}back\u{8}", "nullbellback"),
        ("cut\u{1b}", "cut"),
        ("cut\u{1b}[31", "cut"),
        ("cut\u{1b}]0;title", "cut"),
        ("\n\n 서울 \n", "서울"),
        ("[31m is text without ESC", "[31m is text without ESC"),
    ] {
        assert_eq!(cleaned(text), clean, "{text:?}");
    }
}

#[test]
fn an_excerpt_has_a_number_of_letters_and_not_of_bytes() {
    assert_eq!(excerpt(&"가".repeat(MAX_EXCERPT_CHARS + 1)), "가".repeat(MAX_EXCERPT_CHARS));
    assert_eq!(excerpt(" short\u{7} "), "short");
}

proptest! {
    #![proptest_config(koab_draws::config(256))]

    #[test]
    fn a_clean_text_has_no_control_character_and_stays_as_it_is(text in any::<String>()) {
        let clean = cleaned(&text);
        let is_shown = |c: char| !c.is_control() || matches!(c, '\n' | '\t');
        prop_assert!(clean.chars().all(is_shown));
        prop_assert_eq!(cleaned(&clean), clean);
    }

    #[test]
    fn colours_anywhere_change_nothing_of_a_text(
        letters in proptest::collection::vec("[a-z가-힣 \\[\\]\\n]", 1..30),
        colour in "\u{1b}\\[[0-9;]{0,5}m",
    ) {
        let plain = letters.concat();
        prop_assert_eq!(cleaned(&letters.join(&colour)), plain.trim());
    }
}

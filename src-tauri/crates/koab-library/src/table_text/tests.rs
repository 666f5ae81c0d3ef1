use super::table_text;
use proptest::prelude::*;

#[test]
fn a_table_is_read_in_utf_8_or_in_what_korean_spreadsheets_write() {
    for (bytes, text) in [
        (&b""[..], Some("")),
        (b"a,b\n", Some("a,b\n")),
        ("\u{feff}가,나\r\n".as_bytes(), Some("가,나\r\n")),
        ("가,나".as_bytes(), Some("가,나")),
        // CP949: the syllable of KS X 1001, and one that only Microsoft's extension has.
        (b"\xb0\xa1,\xb3\xaa", Some("가,나")),
        (b"\x8c\x63", Some("똠")),
        (b"\xff\xfe\x00\xac", Some("가")),
        (b"\xfe\xff\xac\x00", Some("가")),
        (b"a\x00b", None),
        (b"PK\x03\x04\x00", None),
        (b"\xb0", None),
        (b"\xff\xff", None),
    ] {
        assert_eq!(table_text(bytes).as_deref(), text, "{bytes:?}");
    }
}

proptest! {
    #![proptest_config(koab_draws::config(256))]

    #[test]
    fn any_text_comes_back_with_and_without_a_mark(text in "[^\u{0}\u{feff}]{0,40}") {
        prop_assert_eq!(table_text(text.as_bytes()), Some(text.clone()));
        prop_assert_eq!(table_text(format!("\u{feff}{text}").as_bytes()), Some(text));
    }

    #[test]
    fn hangul_of_ks_x_1001_comes_back_from_cp949(text in "[가각간갇갈감갑값강개거게고과구그기나너노누느니다더도두드디라러로루르리마머모무므미바버보부브비사서소수스시아어오우으이자저조주즈지]{1,20}") {
        let (bytes, _, is_lossy) = encoding_rs::EUC_KR.encode(&text);
        prop_assert!(!is_lossy);
        let read = table_text(&bytes);
        prop_assert_eq!(read, Some(text));
    }
}

use super::*;
use crate::form::raw;

#[test]
fn a_page_that_is_none_and_a_list_without_end_are_no_list_of_tools() {
    let mut pages = ToolPages::default();
    let next = pages.add(&raw(r#"{"tools":[{"name":"a"}],"nextCursor":"2"}"#));
    assert_eq!(next, Ok(Some("2".to_owned())));
    for broken in [r#"{"nextCursor":"3"}"#, r#"{"tools":[],"nextCursor":3}"#] {
        assert!(pages.add(&raw(broken)).is_err(), "{broken}");
    }
    let mut pages = ToolPages::default();
    let page = raw(r#"{"tools":[],"nextCursor":"x"}"#);
    let read = (0..2 * PAGES).take_while(|_| pages.add(&page).is_ok()).count();
    assert_eq!(read, PAGES);
    let mut pages = ToolPages::default();
    let long = raw(&format!(r#"{{"tools":["{}"]}}"#, "x".repeat(BYTES)));
    assert!(pages.add(&long).is_err());
}

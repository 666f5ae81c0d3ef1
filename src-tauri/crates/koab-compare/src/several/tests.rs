use super::*;
use koab_core::say;
use proptest::prelude::*;

fn ids(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

#[test]
fn each_id_is_there_once_in_the_order_of_its_first_place() {
    let given = ids(&["b", "", "a", "b", "", "c", "a"]);
    assert_eq!(distinct(&given), ["b", "a", "c"]);
    assert_eq!(distinct(&ids(&["", ""])), Vec::<&String>::new());
}

#[test]
fn the_first_error_in_the_order_of_the_ids_is_told() {
    let given = ids(&["a", "b", "c", "d", "e"]);
    let all: Vec<&String> = given.iter().collect();
    let read = |id: &str| match id {
        "b" | "d" => Err(WireError::not_found(say!("{id} is not there"))),
        id => Ok(id.to_owned()),
    };
    let error = read_all(&all, read, &say!("ended")).unwrap_err();
    assert_eq!(error.message.to_string(), "b is not there");
}

#[test]
fn a_reader_that_ends_early_is_an_error_and_no_short_list() {
    let given = ids(&["a", "b"]);
    let all: Vec<&String> = given.iter().collect();
    let read = |id: &str| -> Result<usize, WireError> {
        assert_ne!(id, "b", "this reader ends early");
        Ok(id.len())
    };
    let error = read_all(&all, read, &say!("a reader ended early")).unwrap_err();
    let said = error.message.to_string();
    assert!(said.ends_with("a reader ended early"), "{said}");
}

proptest! {
    #![proptest_config(koab_draws::config(64))]

    /// However many threads read, the answers stand in the order of the ids.
    #[test]
    fn answers_stand_in_the_order_of_the_ids(given in prop::collection::vec("[a-z]{0,3}", 0..40)) {
        let wanted = distinct(&given);
        let read = read_all(&wanted, |id| Ok(id.to_owned()), &say!("ended")).unwrap();
        prop_assert_eq!(read.iter().collect::<Vec<_>>(), wanted);
    }
}

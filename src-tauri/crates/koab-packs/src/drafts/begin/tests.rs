use super::recorded_now;
use crate::tests::shelf::{Shelf, refused};
use crate::wire::{DraftFrom, DraftRequest, DraftSummary};
use koab_workspace::WireError;

fn begin(shelf: &Shelf, name: &str, from: DraftFrom) -> Result<DraftSummary, WireError> {
    shelf.packs.draft_create(&DraftRequest { name: name.to_owned(), from })
}

#[test]
fn a_name_is_one_of_a_pack_and_nobody_else_s() {
    let shelf = Shelf::new();
    shelf.import("small");
    let no_name = "the name of a pack has at most 64 letters, digits, dots, dashes and underscores";
    for name in ["", " ", "-a", ".a", "a b", "a/b", "한글", "a@1", &"a".repeat(65)] {
        refused(begin(&shelf, name, DraftFrom::Example).map(drop), no_name);
    }
    refused(
        begin(&shelf, "small", DraftFrom::Example).map(drop),
        "the installed pack small was not made here and cannot be changed; give the copy another name",
    );
    let begun = begin(&shelf, "  mine ", DraftFrom::Example).expect("begun");
    assert_eq!((begun.name.as_str(), begun.next_version, begun.base), ("mine", 1, None));
    refused(begin(&shelf, "mine", DraftFrom::Example).map(drop), "mine");
    let revision = shelf.packs.draft_open("mine").expect("opened").revision;
    shelf.packs.draft_save("mine", revision).expect("saved");
    shelf.packs.draft_discard("mine").expect("thrown away");
    refused(
        begin(&shelf, "mine", DraftFrom::Example).map(drop),
        "mine is a pack of your own already; edit it, or choose another name",
    );
    let copy = DraftFrom::Copy { pack: "mine".to_owned() };
    assert_eq!(begin(&shelf, "mine", copy).expect("its next version").next_version, 2);
}

#[test]
fn a_draft_begins_with_what_was_chosen() {
    let shelf = Shelf::new();
    shelf.import("small");
    let tools = |names: &[&str]| DraftFrom::Tools {
        pack: "small".to_owned(),
        tools: names.iter().map(|name| (*name).to_owned()).collect(),
    };
    for (name, from, tasks, tools, base) in [
        ("example", DraftFrom::Example, 1, 1, None),
        ("copy", DraftFrom::Copy { pack: "small".to_owned() }, 2, 2, Some("small@1.0.0")),
        ("tools", tools(&["Search_x", "Nobody_x"]), 0, 1, Some("small@1.0.0")),
    ] {
        let begun = begin(&shelf, name, from).expect(name);
        assert_eq!((begun.tasks, begun.tools, begun.base.as_deref()), (tasks, tools, base), "{name}");
    }
    for names in [&[][..], &["Nobody_x"]] {
        refused(begin(&shelf, "none", tools(names)).map(drop), "choose at least one tool");
    }
    refused(begin(&shelf, "none", DraftFrom::Copy { pack: "nowhere".to_owned() }).map(drop), "nowhere");
    let drafts = shelf.packs.drafts_list().expect("listed");
    assert_eq!((drafts.drafts.len(), drafts.own.len()), (3, 0));
}

#[test]
fn a_draft_is_thrown_away_once_and_its_packs_stay() {
    let shelf = Shelf::new();
    begin(&shelf, "mine", DraftFrom::Example).expect("begun");
    let revision = shelf.packs.draft_open("mine").expect("opened").revision;
    shelf.packs.draft_save("mine", revision).expect("saved");
    shelf.packs.draft_discard("mine").expect("thrown away");
    refused(shelf.packs.draft_discard("mine"), "mine");
    refused(shelf.packs.draft_open("mine").map(drop), "mine");
    assert!(shelf.packs.list().expect("listed").iter().any(|pack| pack.name == "mine"));
    let own = shelf.packs.drafts_list().expect("listed").own;
    assert_eq!((own.len(), own[0].versions.len()), (1, 1));
    shelf.packs.remove("mine").expect("removed");
    assert!(shelf.packs.drafts_list().expect("listed").own.is_empty());
}

#[test]
fn a_time_is_written_as_published_records_have_it() {
    let now = recorded_now();
    let shape: String =
        now.chars().map(|letter| if letter.is_ascii_digit() { '0' } else { letter }).collect();
    assert_eq!(shape, "0000-00-00T00:00:00.000000");
}

use super::{PulledPack, SETTING, compare_with, counts};
use crate::tests::shelf::{Shelf, refused};
use crate::wire::PublishedSummary;
use koab_core::level::Level;
use koab_core::published::{DriftStanding, PublishedTask, drift};

fn pulled(repo: &str, commit: &str) -> PulledPack {
    PulledPack {
        summary: PublishedSummary {
            repo: repo.to_owned(),
            page: format!("https://example.com/{repo}"),
            revision: "main".to_owned(),
            commit: commit.to_owned(),
            licence: None,
            pulled_at: "2026-01-01T00:00:00Z".to_owned(),
            tasks: 2,
        },
        files: vec!["data/L1.parquet".to_owned()],
    }
}

fn published(level: Level, query: &str, tools: &[&str]) -> PublishedTask {
    PublishedTask {
        level,
        instruction: format!("{query}를 찾아줘"),
        tools: tools.iter().map(|tool| (*tool).to_owned()).collect(),
    }
}

#[test]
fn the_newest_is_first_and_a_commit_is_listed_once() {
    let shelf = Shelf::new();
    let packs = &shelf.packs;
    for (repo, commit) in [("a/b", "1111"), ("a/b", "1222"), ("c/d", "1111"), ("a/b", "1111")] {
        packs.remember_published(&pulled(repo, commit)).expect("kept");
    }
    let listed = |packs: &crate::Packs| -> Vec<(String, String)> {
        let all = packs.published_list().expect("listed").into_iter();
        all.map(|one| (one.repo, one.commit)).collect()
    };
    let named = |repo: &str, commit: &str| (repo.to_owned(), commit.to_owned());
    assert_eq!(listed(packs), [named("a/b", "1111"), named("c/d", "1111"), named("a/b", "1222")]);
    for (commit, found) in
        [(None, Some("1111")), (Some("12"), Some("1222")), (Some("1"), Some("1111")), (Some("2"), None)]
    {
        assert_eq!(packs.published_commit("a/b", commit).ok().as_deref(), found, "{commit:?}");
    }
    let why =
        "no published tasks of e/f were fetched at this commit; `koab pack pull e/f` fetches the newest";
    refused(packs.published_commit("e/f", None), why);
    refused(packs.published_view("e/f", None, None).map(drop), why);
    packs.published_forget("a/b", "1111").expect("forgotten");
    packs.published_forget("a/b", "none").expect("nothing to forget");
    assert_eq!(listed(packs), [named("c/d", "1111"), named("a/b", "1222")]);
}

#[test]
fn files_that_are_gone_from_the_cache_are_named_with_the_way_to_have_them_again() {
    let shelf = Shelf::new();
    let hub = shelf.folder.path().join("hub");
    let store = shelf.packs.workspace.store().expect("opened");
    shelf.packs.remember_published(&pulled("koab-test/none", "0000")).expect("kept");
    let why = shelf.packs.published_view("koab-test/none", None, None).expect_err("gone").message.to_string();
    assert!(why.starts_with("data/L1.parquet of koab-test/none is not in "), "{why}");
    assert!(why.ends_with(" any more; `koab pack pull koab-test/none@0000` fetches it again"), "{why}");
    assert!(!hub.exists());
    store.set_setting(SETTING, Some("{ broken")).expect("written");
    refused(
        shelf.packs.published_list().map(drop),
        "koab.sqlite holds a list of published tasks that cannot be read",
    );
}

#[test]
fn each_task_of_either_side_is_counted_once_at_its_level() {
    let shelf = Shelf::new();
    shelf.import("small");
    let pack = shelf.packs.recent("small").expect("read");
    let tasks = [
        published(Level::L1, "가", &["Search_x"]),
        published(Level::L2, "서울 카페", &["Search_x"]),
        published(Level::L2, "새로운 것", &["Another_x"]),
    ];
    let drift = compare_with(&tasks, &pack);
    assert_eq!((drift.pack.as_str(), drift.version.as_str()), ("small", "1.0.0"));
    let levels: Vec<_> =
        drift.levels.iter().map(|row| (row.level.clone(), row.published, row.in_pack)).collect();
    assert_eq!(levels, [(Level::L1, 1, 2), (Level::L2, 2, 0)]);
    let of = |level: usize| {
        let row = &drift.levels[level];
        [row.same, row.other_tools, row.other_level, row.only_published, row.only_in_pack]
    };
    assert_eq!((of(0), of(1)), ([1, 0, 0, 0, 0], [0, 0, 1, 1, 0]));
}

#[test]
fn a_task_with_other_tools_or_without_a_twin_is_told_apart() {
    let shelf = Shelf::new();
    shelf.import("small");
    let pack = shelf.packs.recent("small").expect("read");
    for (tasks, level, standing) in [
        (vec![published(Level::L1, "가", &["Another_x"])], Level::L1, DriftStanding::OtherTools),
        (vec![published(Level::L3, "가", &["Search_x"])], Level::L3, DriftStanding::OtherLevel),
        (vec![], Level::L1, DriftStanding::OnlyInPack),
        (vec![published(Level::L7, "없음", &[])], Level::L7, DriftStanding::OnlyPublished),
    ] {
        let rows = drift(&tasks, &pack);
        assert!(rows.iter().any(|row| row.standing == standing), "{standing:?}: {rows:?}");
        let counted = counts(&level, &rows);
        let sum = counted.same
            + counted.other_tools
            + counted.other_level
            + counted.only_published
            + counted.only_in_pack;
        assert_eq!(sum as usize, rows.iter().filter(|row| row.level == level).count());
    }
}

#[test]
fn the_pack_with_most_of_the_tasks_is_compared_and_of_equals_the_active_one() {
    let shelf = Shelf::new();
    shelf.import("small");
    shelf.import("twin");
    let tasks = [published(Level::L1, "가", &["Search_x"])];
    for active in ["small", "twin"] {
        shelf.packs.activate(active).expect("chosen");
        let best = shelf.packs.most_like(&tasks).expect("read").expect("a pack");
        assert_eq!(best.manifest.name, active);
    }
    shelf.packs.activate("starter").expect("chosen");
    let best = shelf.packs.most_like(&tasks).expect("read").expect("a pack");
    assert_ne!(best.manifest.name, "starter", "it has none of them");
}

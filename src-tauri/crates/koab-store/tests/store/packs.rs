//! Installed packs: listed, used, removed, verified.

use crate::support::{folder, import, starter, task, workspace};
use serde_json::json;

#[test]
fn packs_are_listed_used_and_removed() {
    let space = workspace();
    for name in ["b", "a"] {
        let files = [
            (
                "tasks/pack.json",
                json!({"format": 1, "name": name, "version": "1"}).to_string(),
            ),
            ("tasks/L1.json", json!([task("L1-001", "x")]).to_string()),
        ];
        import(&space, folder(&files).path());
    }
    let list = || -> Vec<(String, bool)> {
        let packs = space.store.packs().expect("read").into_iter();
        packs.map(|pack| (pack.manifest.name, pack.active)).collect()
    };
    let named = |name: &str, active| (name.to_owned(), active);
    assert_eq!(
        list(),
        [named("a", false), named("b", true)],
        "the first one imported is active"
    );
    space.store.use_pack("a").expect("used");
    assert_eq!(list(), [named("a", true), named("b", false)]);
    space.store.remove_pack("a").expect("removed");
    assert_eq!(list(), [named("b", true)], "another takes its place");
    let error = space.store.use_pack("a").expect_err("removed").to_string();
    assert_eq!(
        error,
        "there is no pack `a`: there are b; install one with `koab pack import`"
    );
}

#[test]
fn what_was_changed_in_the_database_is_found() {
    let space = workspace();
    import(&space, folder(&starter()).path());
    let database = rusqlite::Connection::open(space.store.path()).expect("opened");
    database
        .execute("UPDATE record SET data = '7' WHERE args LIKE '%나%'", [])
        .expect("changed");
    database
        .execute(
            "UPDATE document SET content = '[]' WHERE path = 'tasks/L1.json'",
            [],
        )
        .expect("changed");
    let found = space.store.verify_pack("starter").expect("verified");
    let mut lines: Vec<String> = found.iter().map(ToString::to_string).collect();
    lines[1].replace_range("cache/Search_x/".len().."cache/Search_x/".len() + 64, "KEY");
    assert_eq!(
        lines,
        [
            "tasks/L1.json: is not what was imported",
            "cache/Search_x/KEY: is not what was imported"
        ]
    );
    database.execute("DELETE FROM record", []).expect("deleted");
    let found = space.store.verify_pack("starter").expect("verified");
    assert_eq!(
        found.last().map(ToString::to_string).as_deref(),
        Some("cache: 2 records were imported, 0 are there")
    );
}

#[test]
fn the_tables_are_as_they_were_published() {
    let space = workspace();
    let database = rusqlite::Connection::open(space.store.path()).expect("opened");
    let sql = "SELECT name || ': ' || (SELECT group_concat(name, ' ') FROM pragma_table_info(s.name))
               FROM sqlite_schema AS s WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name";
    let mut statement = database.prepare(sql).expect("prepared");
    let rows = statement
        .query_map([], |row| row.get::<_, String>(0))
        .expect("queried");
    let tables = rows.collect::<Result<Vec<_>, _>>().expect("read").join("\n");
    insta::assert_snapshot!(tables, @r"
    document: pack path sha256 content
    pack: id name version manifest records generation imported_at
    record: id pack tool args published_key standing answers sha256 created_at input_params raw_args original data
    setting: name value
    spending: day run spent_cost spent_tokens held_cost held_tokens
    verdict: question_hash judge prompt_version answer answered_at
    ");
}

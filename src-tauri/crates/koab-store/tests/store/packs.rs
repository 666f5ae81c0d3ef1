//! Installed packs: listed, used, removed, verified.

use crate::support::{folder, import, starter, task, workspace};
use serde_json::json;

#[test]
fn packs_are_listed_used_and_removed() {
    let space = workspace();
    for name in ["b", "a"] {
        let files = [
            ("tasks/pack.json", json!({"format": 1, "name": name, "version": "1"}).to_string()),
            ("tasks/L1.json", json!([task("L1-001", "x")]).to_string()),
        ];
        import(&space, folder(&files).path());
    }
    let list = || -> Vec<(String, bool)> {
        let packs = space.store.packs().expect("read").into_iter();
        packs.map(|pack| (pack.manifest.name, pack.active)).collect()
    };
    let named = |name: &str, active| (name.to_owned(), active);
    assert_eq!(list(), [named("a", false), named("b", true)], "the first one imported is active");
    space.store.use_pack("a").expect("used");
    assert_eq!(list(), [named("a", true), named("b", false)]);
    space.store.remove_pack("a").expect("removed");
    assert_eq!(list(), [named("b", true)], "another takes its place");
    let error = space.store.use_pack("a").expect_err("removed").to_string();
    assert_eq!(error, "there is no pack `a`: there are b; install one with `koab pack import`");
}

#[test]
fn what_was_changed_in_the_database_is_found() {
    let space = workspace();
    import(&space, folder(&starter()).path());
    let database = rusqlite::Connection::open(space.store.path()).expect("opened");
    database.execute("UPDATE record SET data = '7' WHERE args LIKE '%나%'", []).expect("changed");
    database.execute("UPDATE document SET content = '[]' WHERE path = 'tasks/L1.json'", []).expect("changed");
    let found = space.store.verify_pack("starter").expect("verified");
    let mut lines: Vec<String> = found.iter().map(ToString::to_string).collect();
    lines[1].replace_range("cache/Search_x/".len().."cache/Search_x/".len() + 64, "KEY");
    assert_eq!(
        lines,
        ["tasks/L1.json: is not what was imported", "cache/Search_x/KEY: is not what was imported"]
    );
    database.execute("DELETE FROM record", []).expect("deleted");
    let found = space.store.verify_pack("starter").expect("verified");
    assert_eq!(
        found.last().map(ToString::to_string).as_deref(),
        Some("cache: 2 records were imported, 0 are there")
    );
}

#[test]
fn a_flag_outlives_a_new_import_of_its_pack_and_goes_only_when_it_is_taken_away() {
    let space = workspace();
    import(&space, folder(&starter()).path());
    let flag =
        space.store.flag_task("starter", "L1-001", Some("질문이 모호함")).expect("flagged").expect("there");
    import(&space, folder(&starter()).path());
    space.store.flag_task("starter", "L1-001", Some("답이 둘")).expect("changed");
    let flags = space.store.task_flags("starter").expect("read");
    assert_eq!(flags.len(), 1);
    assert_eq!((flags[0].note.as_str(), flags[0].flagged_at.as_str()), ("답이 둘", flag.flagged_at.as_str()));
    assert!(space.store.task_flags("other").expect("read").is_empty());
    assert_eq!(space.store.flag_task("starter", "L1-001", None).expect("taken"), None);
    assert!(space.store.task_flags("starter").expect("read").is_empty());
}

#[test]
fn what_was_wrong_with_an_import_is_kept_and_an_earlier_workspace_finds_it_again() {
    let (space, mut files) = (workspace(), starter());
    files[0].1 = json!([task("L1-001", "Search_x"), task("L1-002", "Missing_x")]).to_string();
    files.push(("cache/Another_x.jsonl", "no JSON\n".to_owned()));
    let told = import(&space, folder(&files).path()).problems;
    assert!(told.iter().any(|problem| problem.task.as_deref() == Some("L1-002")));
    assert_eq!(space.store.pack_problems("starter").expect("read"), told);
    let database = rusqlite::Connection::open(space.store.path()).expect("opened");
    database.execute("UPDATE pack SET problems = NULL", []).expect("as before");
    let again = space.store.pack_problems("starter").expect("read");
    assert!(again.iter().any(|problem| problem.task.as_deref() == Some("L1-002")));
}

#[test]
fn a_tool_s_answered_arguments_are_listed_without_its_answers() {
    let space = workspace();
    import(&space, folder(&starter()).path());
    let cache = space.store.cache("starter").expect("opened");
    let args = cache.answered_args("Search_x").expect("read");
    let queries: Vec<_> = args.iter().map(|args| args.as_value()["query"].as_str()).collect();
    assert_eq!(queries, [Some("가"), Some("나")]);
    assert!(cache.answers("Search_x", &args[0]).expect("read"));
    assert!(!cache.answers("Another_x", &args[0]).expect("read"));
}

#[test]
fn the_tables_are_as_they_were_published() {
    let space = workspace();
    let database = rusqlite::Connection::open(space.store.path()).expect("opened");
    let sql = "SELECT name || ': ' || (SELECT group_concat(name, ' ') FROM pragma_table_info(s.name))
               FROM sqlite_schema AS s WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name";
    let mut statement = database.prepare(sql).expect("prepared");
    let rows = statement.query_map([], |row| row.get::<_, String>(0)).expect("queried");
    let tables = rows.collect::<Result<Vec<_>, _>>().expect("read").join("\n");
    insta::assert_snapshot!(tables, @r"
    document: pack path sha256 content
    draft: name revision base head prompts changed_at
    draft_item: id draft kind level place removed content
    judge_queue: id document made_at revealed_at applied_at applied_by
    judge_queue_answer: queue number answer said_at
    overlay: pack tool args published_key origin created_at raw_args data
    pack: id name version manifest records generation imported_at problems retired hash
    pack_version: pack number version sha256 changes saved_at
    record: id pack tool args published_key standing answers sha256 created_at input_params raw_args original data
    report: id stamp facts
    report_outcomes: id conditions outcomes
    report_remark: id tags note
    run_remark: id tags note
    setting: name value
    snapshot: id name pack hash note created_at
    snapshot_answer: snapshot tool args published_key origin created_at raw_args data
    spending: day run spent_cost spent_tokens held_cost held_tokens
    task_flag: pack task note flagged_at
    verdict: question_hash judge prompt_version answer answered_at
    verdict_failure: question_hash judge prompt_version reason failed_at
    verdict_override: id question_hash judge run task metric answer said_by why said_at ended_by ended_at
    ");
}

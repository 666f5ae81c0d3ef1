use super::*;
use koab_workspace::Home;

fn api(home: &std::path::Path) -> Models {
    Models::at(home)
}

#[test]
fn the_user_s_price_goes_first_and_a_faulty_table_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let models = api(folder.path());
    assert_eq!(models.price("azure/gpt-4o").expect("read").map(|p| p.input), Some(2.5));
    assert_eq!(models.price("openai_compat/mine").expect("read"), None);
    let own = r#"{"as_of": "2026-11-20", "models": {"openai_compat/*": {"input": 0, "output": 0}, "azure/gpt-4o": {"input": 1, "output": 2}}}"#;
    std::fs::write(models.workspace.home().prices(), own).expect("written");
    assert_eq!(models.price("azure/gpt-4o").expect("read").map(|p| p.input), Some(1.0));
    assert_eq!(models.price("openai_compat/mine").expect("read").map(|p| p.input), Some(0.0));
    assert!(models.prices().expect("read")[0].own);
    std::fs::write(models.workspace.home().prices(), own.replace('2', "-2")).expect("written");
    let error = models.price("azure/gpt-4o").expect_err("a price below 0").to_string();
    assert!(
        error.ends_with("prices.json the price of azure/gpt-4o must be 0 or more USD per million tokens"),
        "{error}"
    );
}

#[test]
fn an_own_price_is_set_dated_and_taken_away() {
    let folder = tempfile::tempdir().expect("a folder");
    let models = api(folder.path());
    let rows = models.price_set(" ollama/* ", Some((0.0, 0.5))).expect("set");
    assert_eq!((rows[0].model.as_str(), rows[0].output, rows[0].own), ("ollama/*", 0.5, true));
    assert_eq!(rows[0].as_of, koab_workspace::clock::today());
    for (model, price) in
        [("gpt", Some((1.0, 1.0))), ("a/b", Some((-1.0, 0.0))), ("a/b", Some((f64::NAN, 0.0)))]
    {
        models.price_set(model, price).expect_err("refused");
    }
    let rows = models.price_set("ollama/*", None).expect("taken away");
    assert!(rows.iter().all(|row| !row.own));
}

#[test]
fn every_carried_price_names_its_source_and_every_published_model_has_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let models = api(folder.path());
    let rows = models.prices().expect("read");
    assert!(rows.iter().all(|row| row.source.is_some() && !row.own));
    let unconfirmed = rows.iter().filter(|row| row.unconfirmed);
    assert!(unconfirmed.count() < 3, "what cannot be confirmed is the exception");
    for model in [
        "azure/gpt-4o",
        "azure/gpt-4o-mini",
        "azure/gpt-5",
        "azure/DeepSeek-V3.1",
        "bedrock/global.anthropic.claude-haiku-4-5-20251001-v1:0",
        "bedrock/qwen.qwen3-next-80b-a3b",
        "bedrock/us.amazon.nova-lite-v1:0",
        "openrouter/z-ai/glm-4.6v",
        "vertex_ai/gemini-2.5-flash",
    ] {
        assert!(models.price(model).expect("read").is_some(), "{model}");
    }
}

#[test]
fn a_copy_to_edit_never_replaces_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let home = Home::resolve(Some(folder.path().join("new"))).expect("resolved");
    let models = api(home.path());
    let path = models.prices_copy().expect("written");
    assert_eq!(std::fs::read_to_string(&path).expect("read"), BUILT_IN_PRICES);
    std::fs::write(&path, "mine").expect("written");
    models.prices_copy().expect("nothing to do");
    assert_eq!(std::fs::read_to_string(&path).expect("read"), "mine");
}

#[test]
fn the_longest_pattern_that_fits_says_the_price() {
    let folder = tempfile::tempdir().expect("a folder");
    let models = api(folder.path());
    for (pattern, input) in [("lab/*", 1.0), ("lab/big*", 2.0), ("lab/bigger", 3.0)] {
        models.price_set(pattern, Some((input, 0.0))).expect("set");
    }
    for (model, input) in [
        ("lab/small", Some(1.0)),
        ("lab/big", Some(2.0)),
        ("lab/big-2", Some(2.0)),
        ("lab/bigger", Some(3.0)),
        ("lab/bigger-2", Some(2.0)),
        ("labs/small", None),
    ] {
        let found = models.price(model).expect("read").map(|price| price.input);
        assert_eq!(found, input, "{model}");
    }
    // Setting again takes the place of the price before.
    let rows = models.price_set("lab/bigger", Some((4.0, 5.0))).expect("set");
    let own: Vec<_> =
        rows.iter().filter(|row| row.own).map(|row| (row.model.as_str(), row.input, row.output)).collect();
    assert_eq!(own, [("lab/*", 1.0, 0.0), ("lab/big*", 2.0, 0.0), ("lab/bigger", 4.0, 5.0)]);
}

#[test]
fn a_price_that_is_refused_leaves_the_table_as_it_was() {
    let folder = tempfile::tempdir().expect("a folder");
    let models = api(folder.path());
    models.price_set("lab/*", Some((1.0, 1.0))).expect("set");
    let path = models.workspace.home().prices();
    let before = std::fs::read(&path).expect("written");
    for (model, price, sentence) in [
        ("lab", Some((1.0, 1.0)), "`lab` is not a model id"),
        ("lab/x", Some((1.0, -0.5)), "the price of lab/x must be 0 or more"),
        ("lab/x", Some((f64::INFINITY, 0.0)), "the price of lab/x must be 0 or more"),
    ] {
        let said = models.price_set(model, price).expect_err("refused").to_string();
        assert!(said.contains(sentence), "{said}");
        assert_eq!(std::fs::read(&path).expect("there"), before);
    }
    std::fs::write(&path, "{").expect("written");
    for refused in [models.prices().map(drop), models.price_set("lab/x", None).map(drop)] {
        let error = refused.expect_err("a damaged table");
        assert_eq!(error.code, koab_workspace::ErrorCode::BadFile);
    }
    assert_eq!(std::fs::read_to_string(&path).expect("there"), "{", "what cannot be read is not replaced");
}

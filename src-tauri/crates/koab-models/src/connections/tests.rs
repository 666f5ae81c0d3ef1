use super::*;
use koab_stand_ins::refused;
use koab_workspace::ErrorCode;

fn connection(name: &str, provider: &str, base_url: Option<&str>) -> Connection {
    Connection {
        name: name.to_owned(),
        provider: provider.to_owned(),
        base_url: base_url.map(str::to_owned),
        models: Vec::new(),
    }
}

/// A workspace with a server of its own and one on this machine.
fn models(folder: &std::path::Path) -> Models {
    let models = Models::at(folder);
    for kept in [
        connection("lab", "openai_compat", Some("http://gpu.lab:8000/v1")),
        connection("other", "openai_compat", Some("http://other.lab/v1/")),
        connection("mine", "ollama", None),
    ] {
        models.connect(kept).expect("kept");
    }
    models
}

#[test]
fn a_connection_s_name_stands_for_its_provider_and_address() {
    let folder = tempfile::tempdir().expect("a folder");
    let models = models(folder.path());
    for (id, given, resolved, address) in [
        ("lab/qwen/3", None, "openai_compat/qwen/3", Some("http://gpu.lab:8000/v1")),
        ("LAB/qwen", None, "openai_compat/qwen", Some("http://gpu.lab:8000/v1")),
        ("mine/qwen", None, "ollama/qwen", None),
        // An address that is given goes before the connection's.
        ("lab/qwen", Some("http://x/v1"), "openai_compat/qwen", Some("http://x/v1")),
        ("openai/gpt", None, "openai/gpt", None),
        ("labs/qwen", None, "labs/qwen", None),
    ] {
        let found = models.resolve(id, given).expect("resolved");
        assert_eq!((found.id.as_str(), found.base_url.as_deref()), (resolved, address), "{id}");
    }
}

#[test]
fn a_connection_takes_the_place_of_the_one_with_its_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let models = models(folder.path());
    let kept = models.connect(connection(" LAB ", "openai_compat", Some("http://new.lab/v1"))).expect("kept");
    assert_eq!((kept.name.as_str(), kept.base_url.as_deref()), ("lab", Some("http://new.lab/v1")));
    let names = |models: &Models| -> Vec<String> {
        let all = models.connections().expect("read");
        all.into_iter().map(|one| one.name).collect()
    };
    assert_eq!(names(&models), ["other", "mine", "lab"]);
    for (bad, sentence) in [
        (connection("a b", "ollama", None), "`a b` cannot name a connection"),
        (connection("openai", "ollama", None), "openai is a provider"),
        (connection("x", "baseline", None), "`baseline` is not a provider of models behind a server"),
        (connection("x", "nobody", None), "`nobody` is not a provider"),
        (connection("x", "openai_compat", None), "the connection x has no address"),
    ] {
        refused(models.connect(bad), sentence);
    }
    assert_eq!(names(&models).len(), 3, "what is refused is not kept");
}

#[test]
fn a_connection_that_goes_takes_its_judges_along() {
    let folder = tempfile::tempdir().expect("a folder");
    let models = models(folder.path());
    let mut settings = models.workspace.settings().expect("read");
    settings.judges = ["lab/one", "openai/two", "mine/three"].map(str::to_owned).to_vec();
    models.workspace.settings_set(settings).expect("kept");
    assert_eq!(models.disconnect(" Lab ").expect("gone"), ["lab/one"]);
    let settings = models.workspace.settings().expect("read");
    assert_eq!(settings.judges, ["openai/two", "mine/three"]);
    let error = models.disconnect("lab").expect_err("refused");
    assert_eq!(error.code, ErrorCode::NotFound);
    refused(models.disconnect("openai"), "there is no connection openai");
}

#[test]
fn a_key_goes_only_where_the_user_connected() {
    let folder = tempfile::tempdir().expect("a folder");
    let models = models(folder.path());
    for (id, address, is_connected) in [
        ("openai_compat/m", Some("http://gpu.lab:8000/v1"), true),
        ("openai_compat/m", Some(" http://gpu.lab:8000/v1/ "), true),
        ("lab/m", Some("http://gpu.lab:8000/v1"), true),
        // Another connection to the provider is one as well.
        ("lab/m", Some("http://other.lab/v1"), true),
        ("openai_compat/m", Some("http://evil.lab/v1"), false),
        ("ollama/m", Some("http://gpu.lab:8000/v1"), false),
        ("openai_compat/m", Some(""), true),
        ("openai/m", None, true),
    ] {
        let found = models.check_connected(id, address);
        assert_eq!(found.is_ok(), is_connected, "{id} {address:?}");
    }
    refused(
        models.check_connected("openai/m", Some("http://evil.lab/v1")),
        "no connection of the workspace to openai has the address http://evil.lab/v1",
    );
}

#[test]
fn judges_of_one_scoring_are_asked_at_one_address() {
    let folder = tempfile::tempdir().expect("a folder");
    let models = models(folder.path());
    let asked = |ids: &[&str], address: Option<&str>| {
        let ids: Vec<String> = ids.iter().map(|id| (*id).to_owned()).collect();
        models.resolve_judges(&ids, address)
    };
    let owned = |ids: &[&str]| ids.iter().map(|id| (*id).to_owned()).collect::<Vec<_>>();
    let lab = Some("http://gpu.lab:8000/v1".to_owned());
    assert_eq!(
        asked(&["lab/a", "lab/b"], None).expect("one address"),
        (owned(&["openai_compat/a", "openai_compat/b"]), lab)
    );
    assert_eq!(
        asked(&["openai/a", "mine/b"], None).expect("their own"),
        (owned(&["openai/a", "ollama/b"]), None)
    );
    assert_eq!(asked(&[], None).expect("nobody"), (Vec::new(), None));
    refused(asked(&["lab/a", "lab/b", "openai/c"], None), "lab/a and openai/c are at different addresses");
    refused(asked(&["lab/a", "other/b"], None), "lab/a and other/b are at different addresses");
    // One address for all of them.
    let one = asked(&["lab/a", "other/b"], Some("http://x/v1")).expect("one address");
    assert_eq!(one.1.as_deref(), Some("http://x/v1"));
}

#[test]
fn ids_of_no_provider_are_refused_without_asking_anybody() {
    let folder = tempfile::tempdir().expect("a folder");
    let models = models(folder.path());
    let check = |id: &str| models.check_providers(&[id.to_owned()]);
    for id in ["openai/gpt", "openai_compat/a/b", "baseline/golden", "LOCAL/any", "local/"] {
        assert!(check(id).is_ok(), "{id}");
    }
    for id in ["gpt", "nobody/gpt", "/gpt", "openai/"] {
        assert!(check(id).is_err(), "{id}");
        assert!(models.check_id(id).is_err(), "{id}");
    }
    models.check_id("lab/anything").expect("a connection");
}

#[tokio::test]
async fn what_runs_in_this_program_has_no_server() {
    let folder = tempfile::tempdir().expect("a folder");
    let models = models(folder.path());
    let open = async |id: &str, address: Option<&str>| {
        let local = LocalUse::default();
        let opened = models.open(id, address, None, &[], local, Purpose::Model);
        opened.await.map(|opened| (opened.id, opened.base_url, opened.keys))
    };
    let golden = open("baseline/golden", None).await.expect("opened");
    assert_eq!((golden.0.as_str(), golden.1), ("baseline/golden", None));
    for id in ["baseline/golden", "local/tiny"] {
        refused(
            open(id, Some("http://127.0.0.1:9/v1")).await,
            "runs in this program and has no server; leave the base URL out",
        );
    }
    refused(open("nobody/m", None).await, "nobody");
    // A key that is missing can be given, and the same words then work.
    let missing = open("anthropic/m", None).await.expect_err("no key");
    assert_eq!(missing.code, ErrorCode::NotFound);
}

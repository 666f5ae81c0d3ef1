use super::*;
use koab_keys::KeyPlace;

#[tokio::test]
async fn the_list_says_where_models_are_and_what_they_need() {
    let folder = tempfile::tempdir().expect("a folder");
    let models = Models::at(folder.path());
    let key = "sk-ant-secret".to_owned().into();
    let set = models.keys.set("ANTHROPIC_API_KEY", &key, KeyPlace::Session);
    set.await.expect("held");
    let models = models.list().await.expect("listed");
    let of = |id: &str| models.iter().find(|model| model.id == id).expect("listed");
    let anthropic = of("anthropic/");
    assert_eq!(anthropic.default_base_url.as_deref(), Some("https://api.anthropic.com/v1"));
    let need = KeyNeed { any_of: vec!["ANTHROPIC_API_KEY".to_owned()], present: true };
    assert_eq!(anthropic.needs, [need]);
    assert!(of("gemini/").default_base_url.is_some() && of("azure/").default_base_url.is_none());
    assert_eq!(of("bedrock/").needs.len(), 3);
    let without_address: Vec<&str> =
        models.iter().filter(|model| model.needs_base_url).map(|model| model.id.as_str()).collect();
    assert_eq!(without_address, ["openai_compat/"]);
    assert!(of("baseline/golden").needs.is_empty() && of("ollama/").needs.is_empty());
    let told = serde_json::to_string(&models).expect("JSON");
    assert!(!told.contains("sk-ant-secret"));
}

//! Settings as transformers 5 writes them mean what they mean as most repositories have them.

use std::fs;

use koab_local::hf::Folder;

use crate::numbers::fixture::Fixture;

#[test]
fn the_newer_spelling_of_the_settings_means_the_same() {
    for fixture in Fixture::all() {
        let model = fixture.written();
        let before = Folder::open(model.path()).unwrap().config().clone();
        let newer = fs::read_to_string(fixture.file("config.json")).unwrap();
        assert!(
            newer.contains("\"rope_parameters\"") && !newer.contains("\"rope_scaling\""),
            "{}",
            fixture.name
        );
        fs::write(model.path().join("config.json"), newer).unwrap();
        assert_eq!(Folder::open(model.path()).unwrap().config(), &before, "{}", fixture.name);
    }
}

use super::*;

/// The paths that are looked at in a folder with these files.
fn paths(files: &[&str]) -> Vec<String> {
    let folder = tempfile::tempdir().expect("a folder");
    for file in files {
        let path = folder.path().join(file);
        fs::create_dir_all(path.parent().expect("a parent")).expect("made");
        fs::write(path, "x").expect("written");
    }
    let inside = ImportRoots::find(folder.path()).expect("there");
    let mut found = Folder { root: folder.path(), inside: &inside, paths: Vec::new(), cut: false };
    list(&mut found, &Cancel::new()).expect("listed");
    assert!(!found.cut);
    assert_eq!(found.read(&found.paths[0]).expect("read"), b"x");
    Files::paths(&found)
}

#[test]
fn files_are_looked_for_a_few_folders_deep_and_not_among_packages() {
    let found = paths(&[
        "b/c.json",
        "a.json",
        ".git/config",
        "b/.hidden",
        "__MACOSX/a.json",
        "b/node_modules/d.json",
        "1/2/3/4/5/6/7/8/last.json",
        "1/2/3/4/5/6/7/8/9/behind.json",
    ]);
    assert_eq!(found, ["1/2/3/4/5/6/7/8/last.json", "a.json", "b/c.json"]);
}

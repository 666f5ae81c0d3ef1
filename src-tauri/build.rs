//! Builds the window's context; the capabilities lie beside the shell's sources, not at the root.

fn main() {
    let attributes =
        tauri_build::Attributes::new().capabilities_path_pattern("./src-tauri/capabilities/**/*");
    if let Err(error) = tauri_build::try_build(attributes) {
        panic!("cannot prepare the window's build: {error:#}");
    }
}

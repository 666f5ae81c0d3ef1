//! Rebuilds the crate when the embedded UI changes. The UI is read while compiling, which cargo
//! does not detect by itself.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var_os("CARGO_FEATURE_EMBEDDED_UI").is_some() {
        println!("cargo::rerun-if-changed=../../../ui/dist");
    }
}

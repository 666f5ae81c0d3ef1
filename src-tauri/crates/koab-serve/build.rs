//! An embedded UI is read while compiling, which cargo does not see by itself.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var_os("CARGO_FEATURE_EMBEDDED_UI").is_some() {
        println!("cargo::rerun-if-changed=../../../ui/dist");
    }
}

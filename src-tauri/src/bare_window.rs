//! A window with an empty page: what any program of this kind costs. `cargo xtask bench` compares
//! ours with it.
#![forbid(unsafe_code)]

fn main() -> tauri::Result<()> {
    window::open()
}

mod window {
    /// Opens it.
    #[expect(clippy::exit, reason = "the code that tauri generates here may end the process")]
    pub(super) fn open() -> tauri::Result<()> {
        tauri::Builder::default().run(tauri::generate_context!("src-tauri/bare/tauri.conf.json"))
    }
}

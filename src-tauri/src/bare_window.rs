//! A window with an empty page. It shows the minimum cost of a Tauri program, and `cargo xtask
//! bench` compares the product's window with it.
#![forbid(unsafe_code)]

fn main() -> tauri::Result<()> {
    window::open()
}

mod window {
    /// Opens the window with the empty page.
    #[expect(clippy::exit, reason = "the code that tauri generates here may end the process")]
    pub(super) fn open() -> tauri::Result<()> {
        tauri::Builder::default().run(tauri::generate_context!("src-tauri/bare/tauri.conf.json"))
    }
}

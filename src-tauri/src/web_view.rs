//! Settings of the system's web view, where the default settings cost more than they are worth in
//! this program.

use crate::first_answers::FirstAnswers;
use std::sync::Arc;
use tauri::{Manager as _, Runtime, WebviewWindowBuilder};

/// Sets environment variables for the web view's processes, which read them only when they start.
/// Variables that the user has set are kept.
///
/// The program must call this function before anything else.
#[cfg(target_os = "linux")]
pub(crate) fn prepare() {
    if !has_gpu() {
        // Otherwise each process would start OpenGL in software, although nothing is drawn with it.
        let _ = webkit2gtk::glib::setenv("WEBKIT_DISABLE_DMABUF_RENDERER", "1", false);
    }
}

/// Does nothing: only Linux needs environment variables for the web view.
#[cfg(not(target_os = "linux"))]
pub(crate) fn prepare() {}

/// Opens the main window. Its page contains the answers to the page's first commands.
///
/// # Errors
/// When the system cannot open a window.
pub(crate) fn open<R: Runtime>(app: &tauri::App<R>, answers: &Arc<FirstAnswers>) -> tauri::Result<()> {
    for config in &app.config().app.windows {
        let answers = Arc::clone(answers);
        WebviewWindowBuilder::from_config(app, config)?
            .on_web_resource_request(move |request, response| answers.write(&request, response))
            .build()?;
    }
    set_up(app);
    Ok(())
}

/// Configures the main window's web view before anything is loaded. If the system gives no access
/// to the web view, the defaults are kept.
#[cfg(target_os = "linux")]
fn set_up<R: Runtime>(app: &tauri::App<R>) {
    use webkit2gtk::{
        CacheModel, HardwareAccelerationPolicy, SettingsExt as _, WebContextExt as _, WebViewExt as _,
    };

    let Some(window) = app.get_webview_window("main") else {
        return;
    };
    let has_gpu = has_gpu();
    let _ = window.with_webview(move |view| {
        let view = view.inner();
        if let Some(settings) = view.settings() {
            if !has_gpu {
                // Without a GPU, `WebKit` draws with OpenGL in software. That takes a second at the
                // start and a hundred MiB, and frames are slower than drawing into memory.
                settings.set_hardware_acceleration_policy(HardwareAccelerationPolicy::Never);
            }
            // Cache for going back to earlier pages, but there is only one page.
            settings.set_enable_page_cache(false);
        }
        if let Some(context) = view.context() {
            context.set_cache_model(CacheModel::DocumentViewer);
        }
    });
}

/// Does nothing: only the web view on Linux needs other settings than its defaults.
#[cfg(not(target_os = "linux"))]
fn set_up<R: Runtime>(_: &tauri::App<R>) {}

/// Whether the kernel offers a device for rendering.
#[cfg(target_os = "linux")]
fn has_gpu() -> bool {
    std::fs::read_dir("/dev/dri").is_ok_and(|mut devices| {
        devices.any(|device| device.is_ok_and(|it| it.file_name().to_string_lossy().starts_with("renderD")))
    })
}

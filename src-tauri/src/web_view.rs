//! How the system's web view draws and what it keeps, where its defaults cost more than they give
//! here.

use crate::first_answers::FirstAnswers;
use std::sync::Arc;
use tauri::{Manager as _, Runtime, WebviewWindowBuilder};

/// Tells the web view's processes, through their environment, what they cannot be told any more
/// once they are there. Must be called before the program does anything else; what the user set
/// stays.
#[cfg(target_os = "linux")]
pub(crate) fn prepare() {
    if !has_gpu() {
        // Each of its processes would otherwise begin an OpenGL in software, only to hear that
        // nothing is drawn with it.
        let _ = webkit2gtk::glib::setenv("WEBKIT_DISABLE_DMABUF_RENDERER", "1", false);
    }
}

/// Elsewhere there is nothing to be told.
#[cfg(not(target_os = "linux"))]
pub(crate) fn prepare() {}

/// Opens the main window, whose page has the first answers within it.
///
/// # Errors
/// When the system gives no window.
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

/// Sets the main window's web view up. Must be called before it has loaded anything; where the
/// system gives no way to it, it stays as it is.
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
                // Without one, `WebKit` draws through an OpenGL in software: a second of work at
                // the start, a hundred MiB, and slower frames than drawing straight into memory.
                settings.set_hardware_acceleration_policy(HardwareAccelerationPolicy::Never);
            }
            // Pages to go back to: there is only one.
            settings.set_enable_page_cache(false);
        }
        if let Some(context) = view.context() {
            context.set_cache_model(CacheModel::DocumentViewer);
        }
    });
}

/// Elsewhere the defaults are good.
#[cfg(not(target_os = "linux"))]
fn set_up<R: Runtime>(_: &tauri::App<R>) {}

/// Whether the kernel offers a device to render with.
#[cfg(target_os = "linux")]
fn has_gpu() -> bool {
    std::fs::read_dir("/dev/dri").is_ok_and(|mut devices| {
        devices.any(|device| device.is_ok_and(|it| it.file_name().to_string_lossy().starts_with("renderD")))
    })
}

//! Kinds of requirements.

/// A requirement of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Need {
    /// Node with npm.
    Node,
    /// npm packages of the UI, as listed in `ui/package-lock.json`.
    UiPackages,
    /// The test runner `cargo-nextest`.
    Nextest,
    /// Requirements for compiling the window: a C compiler, pkg-config and, on Linux, `WebKitGTK`.
    WindowBuild,
    /// Requirements for compiling llama.cpp, for models inside the application: cmake, a C++
    /// compiler, libclang.
    ModelBuild,
    /// Requirements for driving the real window: a `WebDriver`, a display server and fonts. Linux
    /// only.
    WindowDriver,
    /// A browser that tests can drive: Chromium.
    Browser,
}

//! What a command can need from the machine.

/// Something that a command needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Need {
    /// Node with npm.
    Node,
    /// The UI's npm packages, as `ui/package-lock.json` names them.
    UiPackages,
    /// The test runner.
    Nextest,
    /// What compiling the window takes: a C compiler, pkg-config and, on Linux, `WebKitGTK`.
    WindowBuild,
    /// What compiling llama.cpp takes, for models inside the application: cmake, a C++ compiler,
    /// libclang.
    ModelBuild,
    /// What driving the real window takes: a `WebDriver`, a display server and fonts. Linux only.
    WindowDriver,
    /// A browser that a test can drive: Chromium.
    Browser,
}

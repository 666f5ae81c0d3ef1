//! Scenarios in containers, over the API that Docker and Podman share.
//!
//! A repetition is one container made for it and removed after it (`container`). What was left by a
//! process that died is found by its labels and removed at the next start (`owner`). Images are
//! looked up, pulled or built in `image`; a `program` is spoken to while it runs in one, and
//! `end_state` says how either ended; `image_spec` is what an image of its own is built by,
//! `host_config` what holds either kind. `engine` finds the daemon and says in one sentence what is
//! wrong with it; `trying` finds out whether it can start anything.

mod container;
mod end_state;
mod engine;
mod host_config;
mod image;
mod image_spec;
mod owner;
mod ports;
mod probe;
mod program;

pub use container::{Container, Mounts};
pub use engine::{DockerError, Engine};
pub use image::{DEFAULT_IMAGE, Image};
pub use image_spec::ImageSpec;
pub use owner::Owner;
pub use ports::ContainerPorts;
pub use program::{Program, ProgramExit, ProgramInput, ProgramOutput, Running};

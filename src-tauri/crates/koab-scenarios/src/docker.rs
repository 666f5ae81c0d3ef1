//! Scenarios in containers, over the API that Docker and Podman share.
//!
//! Each trial has one container, which is created for it and removed after it (`container`).
//! Containers left by a process that died are found by their labels and removed at the next start
//! (`owner`). `image` looks up, pulls or builds images, and `image_spec` describes an image to
//! build. `program` runs a program with open streams. `end_state` reads how a container ended,
//! `host_config` sets its limits and mounts, and `ports` connects to its ports. `engine` finds the
//! daemon and reports its faults, and `probe` checks that it can start a container.

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

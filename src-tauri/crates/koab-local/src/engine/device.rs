//! Devices that compute a model, and whether this build and this machine have them.

use std::fmt;
use std::str::FromStr;

use llama_cpp_2::{LlamaBackendDevice, LlamaBackendDeviceType, list_llama_ggml_backend_devices};

/// Device that computes a model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Device {
    /// A graphics card if this build supports one and the machine has one, else the processor.
    #[default]
    Auto,
    /// The processor.
    Cpu,
    /// An NVIDIA card (feature `cuda`).
    Cuda,
    /// An Apple GPU (feature `metal`; always built on Apple's own processors).
    Metal,
    /// Any card with Vulkan (feature `vulkan`).
    Vulkan,
}

/// Every device with its name on the command line.
const NAMES: [(Device, &str); 5] = [
    (Device::Auto, "auto"),
    (Device::Cpu, "cpu"),
    (Device::Cuda, "cuda"),
    (Device::Metal, "metal"),
    (Device::Vulkan, "vulkan"),
];

/// Reason why a device cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, koab_core::Say)]
pub enum DeviceError {
    /// The name is not a device.
    #[error("no such device: {0}; there are auto, cpu, cuda, metal and vulkan")]
    Unknown(String),
    /// The program was built without support for the device.
    #[error(
        "this build cannot compute on {device}: it was built without the feature {device}; take cpu or auto"
    )]
    NotBuilt {
        /// The requested device.
        device: Device,
    },
    /// The machine has no such device.
    #[error("no {device} device is found on this machine: check its driver, or take cpu or auto")]
    NotFound {
        /// The requested device.
        device: Device,
    },
}

impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = NAMES.iter().find(|(device, _)| device == self);
        f.write_str(name.map_or("auto", |(_, name)| name))
    }
}

impl FromStr for Device {
    type Err = DeviceError;

    fn from_str(text: &str) -> Result<Self, DeviceError> {
        let entry = NAMES.iter().find(|(_, name)| text.eq_ignore_ascii_case(name));
        entry.map(|(device, _)| *device).ok_or_else(|| DeviceError::Unknown(text.to_owned()))
    }
}

/// The graphics card that computes a model.
#[derive(Clone, Debug)]
pub(super) struct Card {
    /// llama.cpp's index of the card.
    pub(super) index: usize,
    /// Display name.
    pub(super) name: String,
    /// Bytes of free memory on the card.
    pub(super) free: u64,
}

impl Device {
    /// Whether this build can compute on the device.
    #[must_use]
    pub fn is_built(self) -> bool {
        match self {
            Self::Auto | Self::Cpu => true,
            Self::Cuda => cfg!(feature = "cuda"),
            Self::Metal => cfg!(any(feature = "metal", all(target_os = "macos", target_arch = "aarch64"))),
            Self::Vulkan => cfg!(feature = "vulkan"),
        }
    }

    /// The card to use, or `None` for the processor.
    pub(super) fn card(self) -> Result<Option<Card>, DeviceError> {
        if self == Self::Cpu {
            return Ok(None);
        }
        if !self.is_built() {
            return Err(DeviceError::NotBuilt { device: self });
        }
        let card =
            list_llama_ggml_backend_devices().into_iter().find(|device| self.is_one(device)).map(|device| {
                Card {
                    index: device.index,
                    name: format!("{}: {}", device.name, device.description),
                    free: device.memory_free as u64,
                }
            });
        match (self, card) {
            (Self::Auto, card) => Ok(card),
            (_, Some(card)) => Ok(Some(card)),
            (device, None) => Err(DeviceError::NotFound { device }),
        }
    }

    fn is_one(self, device: &LlamaBackendDevice) -> bool {
        let discrete = device.device_type == LlamaBackendDeviceType::Gpu;
        let any = discrete || device.device_type == LlamaBackendDeviceType::IntegratedGpu;
        let backend = device.backend.to_ascii_lowercase();
        match self {
            // A GPU that shares the processor's memory is rarely faster than the processor, except
            // Apple's (which reports itself as `Gpu`).
            Self::Auto => discrete,
            Self::Cpu => false,
            Self::Cuda => any && backend.contains("cuda"),
            Self::Metal => any && (backend.contains("metal") || backend.contains("mtl")),
            Self::Vulkan => any && backend.contains("vulkan"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_are_written() {
        for (device, name) in NAMES {
            assert_eq!(name.parse(), Ok(device));
            assert_eq!(device.to_string(), name);
        }
        let unknown = "tpu".parse::<Device>().unwrap_err();
        assert_eq!(unknown.to_string(), "no such device: tpu; there are auto, cpu, cuda, metal and vulkan");
    }

    #[cfg(not(feature = "cuda"))]
    #[test]
    fn a_device_that_is_not_built_in_is_named() {
        assert!(!Device::Cuda.is_built());
        assert_eq!(
            Device::Cuda.card().unwrap_err().to_string(),
            "this build cannot compute on cuda: it was built without the feature cuda; take cpu or auto"
        );
    }
}

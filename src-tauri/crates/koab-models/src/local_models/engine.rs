//! Devices and formats of tool calls that this build supports for local models. Users choose from
//! these lists.

use super::{ComputeDevice, LocalEngine};
use crate::Models;
use koab_local::engine::Device;
use koab_local::tool_text::ToolForm;
use koab_workspace::WireError;

/// Every device, with the engine's name for it.
const DEVICES: [(ComputeDevice, Device); 5] = [
    (ComputeDevice::Auto, Device::Auto),
    (ComputeDevice::Cpu, Device::Cpu),
    (ComputeDevice::Cuda, Device::Cuda),
    (ComputeDevice::Metal, Device::Metal),
    (ComputeDevice::Vulkan, Device::Vulkan),
];

impl Models {
    /// Devices that this build can use for local models, and the formats of tool calls that it can
    /// read in a model's text. Whether the machine has a device is only known when a model is
    /// loaded.
    ///
    /// # Errors
    /// This does not fail today. It returns a `Result` because every command of the window does.
    pub fn local_engine(&self) -> Result<LocalEngine, WireError> {
        let built = DEVICES.iter().filter(|(_, device)| device.is_built());
        // `auto` (every form) comes last: the template's own form is the usual choice.
        let forms = ToolForm::all().filter(|form| *form != ToolForm::Auto);
        let forms = forms.chain([ToolForm::Auto]);
        Ok(LocalEngine {
            devices: built.map(|(device, _)| *device).collect(),
            tool_forms: forms.map(|form| form.to_string()).collect(),
        })
    }
}

//! The tools that a task offers to the model, by level, protocol and phase.

use koab_core::catalog::ToolCatalog;
use koab_core::level::Level;
use koab_core::protocol::Rules;
use koab_core::task::Task;
use koab_core::tool::ToolSpec;

/// Tools that a task offers in its first phase. Tools that the catalog lacks are left out; the
/// import of the pack has already reported them.
pub(crate) fn first_phase(task: &Task, rules: Rules, catalog: &ToolCatalog) -> Vec<ToolSpec> {
    let mut names = task.expected_tools();
    if task.level == Level::L2 && rules.l2_offers_distractors {
        names.extend(task.available_tools());
    }
    if task.level == Level::L5 && rules.l5_offers_fallbacks_at_once {
        names.extend(task.fallback_tools());
    }
    specs(names, catalog)
}

/// Tools that a task offers in its second phase: the tools of the first phase and the fallbacks.
pub(crate) fn second_phase(task: &Task, catalog: &ToolCatalog) -> Vec<ToolSpec> {
    let mut names = task.expected_tools();
    names.extend(task.fallback_tools());
    specs(names, catalog)
}

fn specs(names: Vec<String>, catalog: &ToolCatalog) -> Vec<ToolSpec> {
    let mut tools: Vec<ToolSpec> = Vec::new();
    for name in names {
        if let (Some(tool), false) = (catalog.get(&name), tools.iter().any(|t| t.name == name)) {
            tools.push(tool.clone());
        }
    }
    tools
}

//! Checks that all levels and tasks were run and scored.

use super::evidence::Evidence;
use super::list::Objections;
use super::remedies::within;
use crate::submission::files::paths;
use koab_core::say;
use koab_report::comparability::{
    FindingCode, PUBLISHED_TASKS_A_LEVEL, RUN_ALL_TASKS, left_out, levels_left_out, run_levels,
};

pub(super) fn check(evidence: &Evidence<'_>, objections: &mut Objections) {
    let (mut no_log, mut not_scored) = (Vec::new(), Vec::new());
    for (level, all) in &PUBLISHED_TASKS_A_LEVEL {
        let all = *all;
        let log = evidence.logs.iter().find(|log| log.level == *level);
        let logged = log.map_or(0, |log| log.log.total());
        let all_logged = logged >= all as usize;
        match log {
            None => no_log.push(level.as_str()),
            Some(log) if !all_logged => {
                let sentence =
                    say!("the log has {found} of the {all} published tasks of its level", found = logged);
                objections.blocks(FindingCode::FewerTasks, &log.path, sentence, RUN_ALL_TASKS);
            }
            Some(_) => {}
        }
        let Some((path, report)) = &evidence.report else {
            continue;
        };
        let report = &report.report;
        match report.level(level).and_then(|level| level.evaluated_tasks) {
            None => not_scored.push(level.as_str()),
            Some(scored) if scored < all as usize && report.sample_size.is_none() && all_logged => {
                let sentence = left_out(all - scored as u32, all);
                let at = within(path, level.as_str());
                objections.blocks(FindingCode::FewerTasks, at, sentence, RUN_ALL_TASKS);
            }
            Some(_) => {}
        }
    }
    let code = FindingCode::MissingLevels;
    if !no_log.is_empty() {
        let levels = no_log.join(", ");
        let remedy = run_levels(&levels);
        objections.blocks(code, paths::LOGS, say!("the logs of {levels} are not there"), remedy);
    }
    if let Some((path, _)) = evidence.report.as_ref().filter(|_| !not_scored.is_empty()) {
        let levels = not_scored.join(", ");
        let remedy = run_levels(&levels);
        objections.blocks(code, path, levels_left_out(&levels), remedy);
    }
}

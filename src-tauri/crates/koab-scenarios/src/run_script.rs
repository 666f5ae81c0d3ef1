//! `run.sh`: the script of a trial, which prints the markers that programs search in its log.
//!
//! The script is plain `sh`, and every step runs even if earlier steps failed. The trial's own
//! scripts are sourced, so their variables and their `exit` affect `run.sh` itself. `run.sh` ends
//! with the exit code of `scenario.py`, so that the code is not read from the log, where a scenario
//! can print anything.

use crate::outcome::Setting;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// Name of the script in a trial's folder.
pub const RUN_SH: &str = "run.sh";

/// Inputs of a trial's `run.sh`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunScript {
    /// Runtime of the trial.
    pub setting: Setting,
    /// Version of this product, for `timestamp.txt`.
    pub version: String,
}

impl RunScript {
    /// Text of the script for the trial in `folder`. Scripts in the folder that have Windows
    /// newlines are sourced without the carriage returns.
    pub fn text(&self, folder: &Path) -> String {
        let mut text = String::new();
        self.prepare(&mut text);
        for script in ["global_init.sh", "scenario_init.sh"] {
            source(&mut text, folder, script);
        }
        text.push_str(REQUIRED);
        text.push_str(REQUIREMENTS);
        scenario(&mut text);
        text.push_str("rm -rf .cache __pycache__\n");
        for script in ["scenario_finalize.sh", "global_finalize.sh"] {
            source(&mut text, folder, script);
        }
        if self.setting == Setting::Native {
            text.push_str("rm -rf .agbench_venv\n");
        }
        text.push_str(END);
        text
    }

    fn prepare(&self, text: &mut String) {
        let version: String = self.version.chars().filter(|c| is_plain(*c)).collect();
        let setting = self.setting.name();
        text.push_str("#\n# Runs one trial. Written by Ko-AgentBench Desktop.\n");
        text.push_str("echo \"RUN.SH STARTING !#!#\"\n");
        let _ = writeln!(text, "export AUTOGEN_TESTBED_SETTING=\"{setting}\"");
        // Without buffering, a killed scenario does not lose the end of its output.
        text.push_str("export PYTHONUNBUFFERED=1\n");
        let _ = writeln!(
            text,
            "{{ echo \"Timestamp: $(date +%Y-%m-%dT%H:%M:%S%z)\"; echo \"koab version: {version}\"; }} > timestamp.txt"
        );
        text.push_str(PYTHON);
        text.push_str(REQUIRED);
        if self.setting == Setting::Native {
            text.push_str(ENVIRONMENT);
        }
        text.push_str("\"$koab_python\" -V >> timestamp.txt 2>&1\n");
    }
}

fn scenario(text: &mut String) {
    text.push_str("echo \"SCENARIO.PY STARTING !#!#\"\nkoab_started=$(date +%s)\n");
    // The time limit of the whole trial is enforced from outside.
    text.push_str("\"$koab_python\" scenario.py\n");
    text.push_str(VERDICT);
}

fn is_plain(c: char) -> bool {
    c.is_ascii_alphanumeric() || ".-+_".contains(c)
}

fn source(text: &mut String, folder: &Path, script: &str) {
    let windows = fs::read(folder.join(script)).is_ok_and(|bytes| bytes.windows(2).any(|two| two == b"\r\n"));
    let _ = if windows {
        writeln!(
            text,
            "if [ -f {script} ]; then\n    tr -d '\\r' < {script} > .{script}.lf\n    . ./.{script}.lf\n    \
             rm -f .{script}.lf\nfi"
        )
    } else {
        writeln!(text, "if [ -f {script} ]; then\n    . ./{script}\nfi")
    };
}

const PYTHON: &str = "koab_python=python
command -v python >/dev/null 2>&1 || koab_python=python3
";

/// Shell code that creates a virtual environment. Scenarios written for the original tool know the
/// environment's folder name and ignore that folder.
///
/// The environment is created only when something is installed, because creating it takes seconds.
const ENVIRONMENT: &str = "if [ -n \"$koab_required\" ] && \"$koab_python\" -m venv .agbench_venv; then
    . .agbench_venv/bin/activate
    koab_python=python
fi
";

/// Shell code that checks whether `requirements.txt` names any requirement.
const REQUIRED: &str = "koab_required=
if [ -f requirements.txt ]; then
    koab_cr=$(printf '\\r')
    while read -r koab_line || [ -n \"$koab_line\" ]; do
        case \"$koab_line\" in
            '' | '#'* | \"$koab_cr\") ;;
            *) koab_required=yes ;;
        esac
    done < requirements.txt
fi
";

/// Shell code that installs the requirements. An init script may have added requirements before.
///
/// `pip` is not started when there are no requirements, because its start would take longer than
/// many scenarios.
const REQUIREMENTS: &str = "if [ -n \"$koab_required\" ]; then
    \"$koab_python\" -m pip install -r requirements.txt
    koab_pip=$?
    [ \"$koab_pip\" -eq 0 ] || echo \"PIP INSTALL EXITED WITH CODE: $koab_pip !#!#\"
    \"$koab_python\" -m pip list --format=freeze >> timestamp.txt 2>/dev/null
fi
";

const VERDICT: &str = "EXIT_CODE=$?
koab_exit_code=$EXIT_CODE
koab_ended=$(date +%s)
if [ \"$EXIT_CODE\" -ne 0 ]; then
    echo \"SCENARIO.PY EXITED WITH CODE: $EXIT_CODE !#!#\"
else
    echo \"SCENARIO.PY COMPLETE !#!#\"
fi
echo \"SCENARIO.PY RUNTIME: $((koab_ended - koab_started)) !#!#\"
";

/// Shell code that prints the end markers. The first marker is for programs that read logs of the
/// first generation, the second for all others.
const END: &str = "echo \"SCENARIO COMPLETE !#!#\"
echo \"RUN.SH COMPLETE !#!#\"
exit \"$koab_exit_code\"
";

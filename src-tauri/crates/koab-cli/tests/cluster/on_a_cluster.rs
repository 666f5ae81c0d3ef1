//! A real Kubernetes cluster, where somebody gives one. Nextest's default filter leaves it out, because the test run has none:
//!
//! `KOAB_TEST_KUBECONFIG=FILE KOAB_TEST_KUBERNETES_FOLDER=/data KOAB_TEST_KUBERNETES_ARGS="--image=koab:1 --claim=data --mount=/data"
//! cargo nextest run -p koab-cli --test all --ignore-default-filter -E 'test(/^cluster::on_a_cluster::/)'`

use crate::support::logs::{folder, same_logs};
use crate::support::wait::until;
use crate::support::{Koab, skip};
use serde_json::Value;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// Images may have to be pulled.
const LIMIT: Duration = Duration::from_secs(600);

struct Cluster {
    koab: Koab,
    config: String,
    args: String,
}

impl Cluster {
    /// The one that the variables name: its file for `kubectl`, a folder that this computer and the pods see under the same path, and
    /// the words of `--engine-args`.
    fn named(test: &str) -> Option<Self> {
        let names = ["KOAB_TEST_KUBECONFIG", "KOAB_TEST_KUBERNETES_FOLDER", "KOAB_TEST_KUBERNETES_ARGS"];
        let [Some(config), Some(shared), Some(args)] = names.map(|name| std::env::var(name).ok()) else {
            skip(test, &format!("a Kubernetes cluster, which {} name", names.join(", ")));
            return None;
        };
        let koab = Koab {
            home: tempfile::tempdir_in(shared).expect("a folder that the pods see"),
            variables: vec![("KUBECONFIG".to_owned(), config.clone())],
        };
        Some(Self { koab, config, args })
    }

    fn submit(&self) -> Value {
        let words = ["run", "--model", "baseline/golden", "--shards", "3", "--on", "kubernetes"];
        let args = ["--engine-args", self.args.as_str()];
        self.koab.json(&[&words[..], &args].concat())
    }

    /// Jobs that the cluster has of a submission.
    fn jobs(&self, job: &str) -> String {
        let mut words = vec!["get", "jobs", "-o", "name", "-l"];
        let label = format!("koab/run={job}");
        words.push(&label);
        words.extend(self.args.split_whitespace().filter(|word| word.starts_with("--namespace=")));
        let mut kubectl = Command::new("kubectl");
        let said = kubectl.args(words).env("KUBECONFIG", &self.config).output();
        let said = said.expect("kubectl is there");
        assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stderr));
        String::from_utf8_lossy(&said.stdout).trim().to_owned()
    }
}

#[test]
fn a_run_is_made_and_merged_by_pods_and_another_is_cancelled() {
    let Some(cluster) = Cluster::named("a_run_is_made_and_merged_by_pods_and_another_is_cancelled") else {
        return;
    };
    let calm = cluster.koab.json(&["run", "--model", "baseline/golden"])["run"].clone();
    let run = cluster.submit()["run"].as_str().expect("an id").to_owned();
    let mut shown = Value::Null;
    until("pods have made the run and merged it", LIMIT, || {
        shown = cluster.koab.json(&["runs", "show", &run]);
        shown["complete"] == true
    });
    assert_eq!(shown["remote"]["states"]["done"], 3, "{shown}");
    same_logs(&folder(&calm), Path::new(shown["folder"].as_str().expect("a folder")));

    let remote = cluster.submit();
    let (run, job) = (&remote["run"], remote["jobs"][0].as_str().expect("a job"));
    assert!(!cluster.jobs(job).is_empty(), "it was applied");
    cluster.koab.json(&["runs", "cancel", run.as_str().expect("an id")]);
    assert_eq!(cluster.jobs(job), "", "nothing is left over");
}

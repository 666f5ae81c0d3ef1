//! The user's options for a Kubernetes cluster, from `--engine-args`.

use crate::error::ClusterError;
use crate::plan::Plan;
use koab_core::say;
use std::path::Path;

/// Options for a Kubernetes cluster.
#[derive(Clone, Debug, Default)]
pub(super) struct Options {
    image: Option<String>,
    claim: Option<String>,
    mount: Option<String>,
    namespace: Option<String>,
    context: Option<String>,
    secret: Option<String>,
    pub(super) cpu: Option<String>,
    pub(super) memory: Option<String>,
    pub(super) user: Option<i64>,
}

impl Options {
    /// Reads options in the forms `--name=value` and `--name value`.
    pub(super) fn read(args: &[String]) -> Result<Self, ClusterError> {
        let mut options = Self::default();
        let mut rest = args.iter();
        while let Some(word) = rest.next() {
            let (name, value) = match word.split_once('=') {
                Some((name, value)) => (name, Some(value.to_owned())),
                None => (word.as_str(), rest.next().cloned()),
            };
            let value = value.filter(|value| !value.is_empty()).ok_or_else(|| {
                ClusterError::BadRequest(say!(
                    "{name} of --engine-args has no value; write it as {name}=VALUE"
                ))
            })?;
            match name {
                "--image" => options.image = Some(value),
                "--claim" => options.claim = Some(value),
                "--mount" => options.mount = Some(value),
                "--namespace" | "-n" => options.namespace = Some(value),
                "--context" => options.context = Some(value),
                "--secret" => options.secret = Some(value),
                "--cpu" => options.cpu = Some(value),
                "--memory" => options.memory = Some(value),
                "--user" => {
                    options.user = Some(value.parse().map_err(|_| {
                        ClusterError::BadRequest(say!(
                            "--user of --engine-args is the number of a user, such as 1000"
                        ))
                    })?);
                }
                _ => {
                    return Err(ClusterError::BadRequest(say!(
                        "Kubernetes takes --image, --claim, --mount, --secret, --namespace, --context, --cpu, --memory and --user as --engine-args, not {name}"
                    )));
                }
            }
        }
        Ok(options)
    }

    /// Returns the arguments that every call of `kubectl` begins with.
    pub(super) fn kubectl_words(&self) -> Vec<String> {
        let context = self.context.iter().map(|name| format!("--context={name}"));
        let namespace = self.namespace.iter().map(|name| format!("--namespace={name}"));
        context.chain(namespace).collect()
    }

    pub(super) fn namespace(&self) -> Option<&str> {
        self.namespace.as_deref()
    }

    /// Returns the name of the image that contains the program.
    pub(super) fn image(&self) -> Result<&str, ClusterError> {
        self.image.as_deref().ok_or_else(|| {
            ClusterError::BadRequest(say!(
                "workers on Kubernetes need an image with koab: --engine-args \"--image=NAME --claim=NAME\"; `cargo xtask image` makes one"
            ))
        })
    }

    /// Returns the claim of the volume that contains the run, and the mount path of the volume.
    /// Pods and this machine use the same path.
    pub(super) fn volume<'a>(&'a self, plan: &'a Plan) -> Result<(&'a str, &'a Path), ClusterError> {
        let claim = self.claim.as_deref().ok_or_else(|| {
            ClusterError::BadRequest(say!(
                "workers on Kubernetes need a volume that all of them may write: --engine-args \"--image=NAME --claim=NAME\", where the claim is ReadWriteMany"
            ))
        })?;
        let mount = match &self.mount {
            Some(mount) => Path::new(mount),
            None => &plan.work.root,
        };
        let work = &plan.work;
        let folders = std::iter::once(&work.folder).chain(&work.writes);
        for folder in folders {
            if !folder.starts_with(mount) {
                return Err(ClusterError::BadRequest(say!(
                    "the run's folder {} is not below {}, where the volume is; make the run in a workspace there, with --home",
                    folder.display(),
                    mount.display()
                )));
            }
        }
        Ok((claim, mount))
    }

    /// Returns the name of the Secret with the keys that workers need.
    pub(super) fn secret_of(&self, plan: &Plan) -> Result<&str, ClusterError> {
        self.secret.as_deref().ok_or_else(|| {
            let keys = plan.keys.join(", ");
            ClusterError::BadRequest(say!(
                "workers need {keys}; make a Secret of the cluster with it, and name it with --engine-args \"--secret=NAME\""
            ))
        })
    }
}

//! A rootless Podman for one worker, with its own socket and its own storage on the machine's own
//! disk. Both are deleted with the worker.
//!
//! A shared home directory cannot contain the storage of containers, and an ordinary user has no
//! access to the machine's container engine. When the worker is killed (for example by a node's
//! daemon after the grace period), its containers would survive, because their monitor is not a
//! child process of the job. A small process outside the job therefore waits for the worker's end
//! and cleans up.

use crate::error::ClusterError;
use crate::words::quoted_path;
use std::path::Path;

/// Shell code that runs after the worker's end.
pub(crate) const AFTER: &str = "clear";

/// Returns the shell code that runs before the worker's start.
pub(crate) fn before(archive: Option<&Path>) -> Result<String, ClusterError> {
    let load = match archive {
        None => String::new(),
        Some(archive) => format!(
            r#"image={}
[ -r "$image" ] || fail "$node does not see the image $image; it must lie on a disk that every node sees"
said=$(engine load -q -i "$image" 2>&1) || fail "$node cannot load the image $image: $(echo "$said" | tail -n 1)"
"#,
            quoted_path(archive)?
        ),
    };
    Ok(format!(
        r#"# Containers of this worker alone, as an ordinary user: storage on the machine's own disk, a socket of its own.
export XDG_RUNTIME_DIR="$home/x" DBUS_SESSION_BUS_ADDRESS=disabled:
mkdir -m 700 "$XDG_RUNTIME_DIR"
runtime=
# crun before 1.9 refuses control groups of both versions at once.
if command -v runc >/dev/null; then runtime='--runtime runc'; fi
cat >"$home/engine" <<'END'
home=$1 runtime=$2; shift 2
exec podman --root "$home/data" --runroot "$home/run" --tmpdir "$home/tmp" --cgroup-manager=cgroupfs $runtime "$@"
END
cat >"$home/clear" <<'END'
# When the worker has ended, however it did.
home=$1 runtime=$2
while kill -0 "$3" 2>/dev/null; do sleep 0.5; done
[ -d "$home" ] || exit 0
# Its own end waits for whoever is connected.
for one in /proc/[0-9]*; do
  case $(tr '\0' ' ' <"$one/cmdline" 2>/dev/null) in
  *"system service"*"unix://$home/e.sock"*) kill -9 "${{one#/proc/}}" ;;
  esac
done
sh "$home/engine" "$home" "$runtime" rm -af -t 0
sh "$home/engine" "$home" "$runtime" unshare rm -rf "$home/data" "$home/run"
# The process that keeps the user's namespace.
kill $(find "$home" -name pause.pid -exec cat {{}} \;)
rm -rf "$home"
END
engine() {{
  sh "$home/engine" "$home" "$runtime" "$@"
}}
clear() {{
  sh "$home/clear" "$home" "$runtime" none >/dev/null 2>&1
}}
fail() {{
  echo "$1" >&2; echo 'end 1' >>"$mark"; clear; exit 1
}}
command -v podman >/dev/null || fail "$node has no podman, in which scenarios run; have it installed on every node"
# What ends this script at once leaves its containers; this one is no child of it, and clears up.
(setsid sh "$home/clear" "$home" "$runtime" "$$" </dev/null >/dev/null 2>&1 &)
{load}engine system service --time=0 "unix://$home/e.sock" </dev/null >"$home/engine.log" 2>&1 &
service=$!
tries=0
while ! [ -S "$home/e.sock" ]; do
  tries=$((tries + 1))
  if [ "$tries" -gt 300 ] || ! kill -0 "$service" 2>/dev/null; then
    fail "$node cannot start podman for this user: $(tail -n 1 "$home/engine.log")"
  fi
  sleep 0.1
done
export DOCKER_HOST="unix://$home/e.sock"
"#
    ))
}

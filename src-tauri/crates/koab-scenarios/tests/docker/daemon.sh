#!/bin/sh
# A container engine for tests, apart from any other on this machine: its data, socket and bridge are its own.
#   daemon.sh start FOLDER BRIDGE SUBNET   starts Docker and waits until it answers; its socket is FOLDER/docker.sock
#   daemon.sh podman FOLDER BRIDGE SUBNET  the same with Podman behind Docker's API
#   daemon.sh image FOLDER                 puts the image "koab-test" into it, made of this machine's own programs
#   daemon.sh stop FOLDER BRIDGE           removes its containers, stops it, removes its bridge
# Needs root, dockerd or podman with CNI's plugins, docker, ip, python3, bash, a static busybox. The folder must be short: a socket's path is
# limited to 107 bytes.
set -eu
act=$1
folder=$2
export DOCKER_HOST="unix://$folder/docker.sock"

# Says why it fails in its last line.
wait_for_it() {
    tries=0
    until timeout 10 docker version >/dev/null 2>&1; do
        tries=$((tries + 1))
        if [ "$tries" -gt 150 ] || ! kill -0 "$!" 2>/dev/null; then
            echo "the engine does not answer; its log ends with: $(tail -n 1 "$folder/log")" >&2
            exit 1
        fi
        sleep 0.2
    done
}

# Podman with the runtime that is chosen, if one is.
podman_here() {
    timeout 60 podman ${runtime:+--runtime="$runtime"} --root="$folder/data" --runroot="$folder/run" \
        --tmpdir="$folder/tmp" --cgroup-manager=cgroupfs --network-config-dir="$folder/networks" "$@"
}

# Whether a container can be started, without an image; what is said is kept.
can_start() {
    podman_here run --rm --network=none --rootfs "$folder/try" /busybox true >"$folder/tried" 2>&1
}

case $act in
start)
    bridge=$3
    mkdir -p "$folder"
    ip link show "$bridge" >/dev/null 2>&1 || ip link add name "$bridge" type bridge
    ip addr replace "$4" dev "$bridge"
    ip link set "$bridge" up
    # A daemon that was killed leaves these two behind and will not start beside them.
    rm -f "$folder/pid"
    if [ -f "$folder/exec/containerd/containerd.pid" ]; then
        kill -9 "$(cat "$folder/exec/containerd/containerd.pid")" 2>/dev/null || true
        rm -rf "$folder/exec/containerd/containerd.pid" "$folder/exec/containerd/"*.sock*
    fi
    setsid dockerd --data-root="$folder/data" --exec-root="$folder/exec" --pidfile="$folder/pid" \
        -H "$DOCKER_HOST" --bridge="$bridge" >"$folder/log" 2>&1 </dev/null &
    wait_for_it
    ;;
podman)
    bridge=$3
    subnet=${4%.*}
    mkdir -p "$folder/networks"
    cat >"$folder/networks/87-podman.conflist" <<CONFIGURATION
{"cniVersion": "0.4.0", "name": "podman", "plugins": [
    {"type": "bridge", "bridge": "$bridge", "isGateway": true, "ipMasq": true, "hairpinMode": true, "ipam": {
        "type": "host-local", "dataDir": "$folder/addresses", "routes": [{"dst": "0.0.0.0/0"}],
        "ranges": [[{"subnet": "$subnet.0/24", "gateway": "$subnet.1"}]]}},
    {"type": "portmap", "capabilities": {"portMappings": true}}, {"type": "firewall"}, {"type": "tuning"}]}
CONFIGURATION
    # Its own are more than root may have on some machines.
    cat >"$folder/containers.conf" <<CONFIGURATION
[containers]
default_ulimits = ["nofile=4096:4096", "nproc=4096:4096"]
CONFIGURATION
    # What watches a container leaves files where the engine was started.
    cd "$folder"
    export CONTAINERS_CONF="$folder/containers.conf"
    mkdir -p "$folder/try"
    cp "$(command -v busybox)" "$folder/try/busybox"
    # A runtime may not know this machine's control groups: crun before 1.9 refuses those of both versions at once.
    runtime=
    if ! can_start; then
        runtime=runc
        if ! command -v runc >/dev/null || ! can_start; then
            echo "it cannot start containers here: $(tail -n 1 "$folder/tried" | sed 's/^Error: //')" >&2
            exit 1
        fi
    fi
    setsid podman ${runtime:+--runtime="$runtime"} --root="$folder/data" --runroot="$folder/run" --tmpdir="$folder/tmp" --cgroup-manager=cgroupfs \
        --network-config-dir="$folder/networks" system service --time=0 "$DOCKER_HOST" \
        >"$folder/log" 2>&1 </dev/null &
    echo $! >"$folder/pid"
    wait_for_it
    ;;
image)
    root=$folder/image
    rm -rf "$root"
    mkdir -p "$root/bin" "$root/etc" "$root/tmp" "$root/workspace" "$root/usr/lib" "$root/usr/bin"
    chmod 1777 "$root/tmp" "$root/workspace"
    echo 'root:x:0:0:root:/root:/bin/sh' >"$root/etc/passwd"
    cp "$(command -v busybox)" "$root/bin/busybox"
    for applet in $("$root/bin/busybox" --list); do
        [ -e "$root/bin/$applet" ] || ln -s busybox "$root/bin/$applet"
    done
    # Asked of itself: the command of that name may be a script that chooses among several.
    python=$(python3 -c 'import os, sys; print(os.path.realpath(sys.executable))')
    library=$("$python" -c 'import sysconfig; print(sysconfig.get_path("stdlib"))')
    mkdir -p "$root$(dirname "$python")" "$root$library"
    rm -f "$root/bin/sh" "$root/bin/bash"
    for program in "$python" "$(command -v bash)" "$(command -v dash)"; do
        cp "$program" "$root/usr/bin/"
        ldd "$program" | grep -o '/[^ ]*' | while read -r object; do
            mkdir -p "$root$(dirname "$object")"
            cp -nL "$object" "$root$object"
        done
    done
    cp "$python" "$root$python.tmp" && mv "$root$python.tmp" "$root$python"
    ln -s ../usr/bin/dash "$root/bin/sh"
    ln -s ../usr/bin/bash "$root/bin/bash"
    for name in python python3; do
        ln -sf "$python" "$root/usr/bin/$name"
    done
    (cd "$library" && tar -c --exclude=test --exclude=__pycache__ --exclude='config-*' --exclude=dist-packages \
        --exclude=site-packages --exclude=idlelib --exclude=tkinter .) | tar -x -C "$root$library"
    for module in "$library"/lib-dynload/*.so; do
        ldd "$module" | grep -o '/[^ ]*' | while read -r object; do
            mkdir -p "$root$(dirname "$object")"
            cp -nL "$object" "$root$object"
        done
    done
    tar -c -C "$root" . | docker import --change 'WORKDIR /workspace' - koab-test >/dev/null
    rm -rf "$root"
    # An engine that answers may still have no way to run anything.
    if ! timeout 60 docker run --rm --network none koab-test true >/dev/null 2>"$folder/tried"; then
        echo "it cannot start containers here: $(tail -n 1 "$folder/tried" | sed 's/^Error: //')" >&2
        exit 1
    fi
    ;;
stop)
    timeout 20 docker ps -aq 2>/dev/null | while read -r container; do timeout 20 docker rm -f "$container" >/dev/null || true; done
    if [ -f "$folder/pid" ]; then
        pid=$(cat "$folder/pid")
        kill "$pid" 2>/dev/null || true
        tries=0
        while kill -0 "$pid" 2>/dev/null; do
            tries=$((tries + 1))
            [ "$tries" -lt 200 ] || kill -9 "$pid" 2>/dev/null || true
            [ "$tries" -lt 250 ] || break
            sleep 0.1
        done
    fi
    # What a daemon that was killed had mounted is still there.
    cut -d ' ' -f 2 /proc/mounts | grep "^$folder/" | sort -r | while read -r mounted; do umount -l "$mounted"; done
    ip link delete "$3" 2>/dev/null || true
    rm -rf "$folder"
    ;;
*)
    echo "start, image or stop" >&2
    exit 2
    ;;
esac

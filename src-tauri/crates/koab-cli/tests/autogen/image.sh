#!/bin/sh
# image.sh ENVIRONMENT NAME: makes a container image of the image "koab-test" and the packages of a virtual environment.
# The environment is of the Python that the image has.
set -eu
environment=$1
name=$2
path='import sysconfig; print(sysconfig.get_path("purelib"))'
from=$("$environment/bin/python" -c "$path")
to=$(python3 -c "$path")
root=$(mktemp -d)
mkdir -p "$root$to"
# With the times of files, by which what was compiled of them counts.
cp -rpl "$from/." "$root$to" 2>/dev/null || cp -rp "$from/." "$root$to"
# What runs in it may not keep what it compiles, so what this machine has compiled of its Python goes along.
library=$(python3 -c 'import sysconfig; print(sysconfig.get_path("stdlib"))')
mkdir -p "$root$library"
(cd "$library" && find . -name __pycache__ -not -path '*test*' -not -path './site-packages/*' -print0 | tar -c --null -T -) | tar -x -C "$root$library"
# What the packages' libraries need of this machine's.
find "$from" -name '*.so*' -exec ldd {} + 2>/dev/null | grep -o '=> /[^ ]*' | cut -c 4- | grep -v "^$environment" | sort -u |
    while read -r object; do
        mkdir -p "$root$(dirname "$object")"
        cp -L "$object" "$root$object"
    done
container=$(docker create koab-test true)
tar -c -C "$root" . | docker cp - "$container:/"
# Where the distribution manages Python's packages pip refuses even what is there.
docker commit --change 'ENV PIP_BREAK_SYSTEM_PACKAGES=1' "$container" "$name" >/dev/null
docker rm "$container" >/dev/null
rm -rf "$root"

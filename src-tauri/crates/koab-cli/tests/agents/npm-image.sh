#!/bin/sh
# npm-image.sh FOLDER NAME: makes a container image of the image "koab-test", this machine's node and npm, and the packages in
# FOLDER/node_modules, as if npm had installed them globally.
set -eu
folder=$1
name=$2
root=$(mktemp -d)
mkdir -p "$root/usr/bin" "$root/usr/lib/node_modules"
node=$(node -p process.execPath)
cp "$node" "$root/usr/bin/node"
ldd "$node" | grep -o '/[^ ]*' | while read -r object; do
    mkdir -p "$root$(dirname "$object")"
    cp -L "$object" "$root$object"
done
cp -r "$(readlink -f "$(command -v npm)" | sed 's|/bin/npm-cli.js$||')" "$root/usr/lib/node_modules/npm"
ln -s ../lib/node_modules/npm/bin/npm-cli.js "$root/usr/bin/npm"
cp -rpl "$folder/node_modules/." "$root/usr/lib/node_modules" 2>/dev/null ||
    cp -rp "$folder/node_modules/." "$root/usr/lib/node_modules"
for program in "$folder"/node_modules/.bin/*; do
    to=$(readlink "$program" | sed 's|^\.\./|../lib/node_modules/|')
    ln -sf "$to" "$root/usr/bin/$(basename "$program")"
done
ln -s /bin/env "$root/usr/bin/env"
container=$(docker create koab-test true)
tar -c -C "$root" . | docker cp - "$container:/"
docker commit "$container" "$name" >/dev/null
docker rm "$container" >/dev/null
rm -rf "$root"

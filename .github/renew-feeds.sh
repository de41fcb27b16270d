#!/usr/bin/env bash
# Fetches the feeds of the release of this version with their signatures into the folder, and signs them again: all of them, those that a known key
# has signed, and that are of this version.
set -euo pipefail
# As the main branch names it, where a change is reviewed: whoever may push can mark a release, make it a draft again or delete it, and so hide it.
version=$(node -p "require('./package.json').version")
feeds=(latest{,-linux,-linux-arm64,-mac}.yml)
patterns=()
for name in "${feeds[@]}" "${feeds[@]/%/.sig}"; do patterns+=(--pattern "$name"); done
gh release download "v$version" "${patterns[@]}" --dir "$1" || { echo "Version $version is not published, or its feeds are gone."; exit 1; }
npm run --silent sign-feed -- --renew --only-version "$version" --percentage "${PERCENTAGE:-100}" "${feeds[@]/#/$1/}"

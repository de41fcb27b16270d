#!/usr/bin/env bash
# Fetches the feeds of the newest published release with their signatures into the folder, and signs them again: those that a known key has signed,
# and that are of the release's own version.
set -euo pipefail
# The highest version, whichever release is marked as the latest: whoever may push can mark an older one, and so hide a newer.
tag=$(gh release list --exclude-drafts --exclude-pre-releases --limit 1000 --json tagName \
  --jq '.[].tagName | select(test("^v[0-9]+[.][0-9]+[.][0-9]+$"))' | sort -V | tail -n 1)
gh release download "$tag" --pattern 'latest*.yml' --pattern 'latest*.yml.sig' --dir "$1"
npm run --silent sign-feed -- --renew --only-version "${tag#v}" --percentage "${PERCENTAGE:-100}" "$1"/latest*.yml

#!/usr/bin/env bash
# Fails where the tag has a release or a draft already: of drafts GitHub takes two of one tag, and what is packaged again has other digests than
# the feeds of a release that is published. Fails when GitHub cannot be asked.
set -euo pipefail
tags=$(gh api --paginate "repos/$GITHUB_REPOSITORY/releases?per_page=100" --jq '.[].tag_name')
if grep -qxF -e "$GITHUB_REF_NAME" <<< "$tags"; then
  echo "$GITHUB_REF_NAME has a release or a draft. Delete a draft that nobody has published, and run this again."
  exit 1
fi

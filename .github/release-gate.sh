#!/usr/bin/env bash
# Fails unless the tag is package.json's version, its commit is one of the main branch, and package.json names this repository: what nobody has
# reviewed is not released, nor what sends people elsewhere.
set -euo pipefail
version=$(node -p "require('./package.json').version")
[ "v$version" = "$GITHUB_REF_NAME" ] || { echo "The tag $GITHUB_REF_NAME is not v$version."; exit 1; }
repository=$(node -p "require('./package.json').repository.url")
[ "$repository" = "$GITHUB_SERVER_URL/$GITHUB_REPOSITORY" ] || { echo "package.json names $repository."; exit 1; }
# By its whole name: Git would take a tag "origin/main" for it.
git merge-base --is-ancestor HEAD refs/remotes/origin/main || { echo 'The commit of the tag is not on the main branch.'; exit 1; }

#!/usr/bin/env bash
# `write FOLDER NAME` lists the digests of all files of the folder in SHA256SUMS-NAME there, and gives the digest of that list to the next jobs as NAME.
# `check FOLDER NAME DIGEST` fails unless the folder holds that list, and each of its files as it was.
set -euo pipefail
cd "$2"
list="SHA256SUMS-$3"
sum() { if command -v sha256sum > /dev/null; then sha256sum "$@"; else shasum -a 256 "$@"; fi; }
case "$1" in
  write)
    rm -f "$list"
    find . -maxdepth 1 -type f -name '*.*' | LC_ALL=C sort | while IFS= read -r file; do sum "$file"; done > "$list"
    digest=$(sum "$list")
    printf '%s=%s\n' "$3" "${digest%% *}" >> "$GITHUB_OUTPUT"
    ;;
  check)
    [[ "$4" =~ ^[0-9a-f]{64}$ ]] || { echo "No digest of $list is given."; exit 1; }
    printf '%s  %s\n' "$4" "$list" | sum --check --quiet -
    sum --check --quiet "$list"
    ;;
  *) exit 2 ;;
esac

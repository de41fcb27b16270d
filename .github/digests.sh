#!/usr/bin/env bash
# `write FOLDER NAME` lists the digests of all files of the folder in SHA256SUMS-NAME there, and gives the digest of that list to the next jobs as NAME.
# `check FOLDER NAME DIGEST [NAME DIGEST ...]` fails unless the folder holds these lists, each of their files as it was, and nothing else: what no
# list names may have been put among a run's files by anything that ran in it.
set -euo pipefail
does=$1
cd "$2"
shift 2
sum() { if command -v sha256sum > /dev/null; then sha256sum "$@"; else shasum -a 256 "$@"; fi; }
case "$does" in
  write)
    list="SHA256SUMS-$1"
    rm -f "$list"
    find . -maxdepth 1 -type f -name '*.*' | LC_ALL=C sort | while IFS= read -r file; do sum "$file"; done > "$list"
    digest=$(sum "$list")
    printf '%s=%s\n' "$1" "${digest%% *}" >> "$GITHUB_OUTPUT"
    ;;
  check)
    known=''
    while [ $# -gt 0 ]; do
      list="SHA256SUMS-$1"
      [[ "${2:-}" =~ ^[0-9a-f]{64}$ ]] || { echo "No digest of $list is given."; exit 1; }
      printf '%s  %s\n' "$2" "$list" | sum --check --quiet -
      sum --check --quiet "$list"
      # A digest has 64 characters, and two stand before the name.
      known+="./$list"$'\n'"$(cut -c67- "$list")"$'\n'
      shift 2
    done
    strange=$(find . -mindepth 1 | { grep -vxF -f <(printf '%s' "$known") || true; })
    [ -z "$strange" ] || { printf 'In no list: %s\n' "$strange"; exit 1; }
    ;;
  *) exit 2 ;;
esac

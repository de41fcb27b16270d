#!/usr/bin/env bash
# `write FOLDER NAME` lists the digests of all files of the folder in SHA256SUMS-NAME there, and gives the digest of that list to the next jobs as NAME.
# `check FOLDER NAME DIGEST [NAME DIGEST ...]` fails unless the folder holds these lists, each of their files as it was, and nothing else: what no
# list names may have been put among a run's files by anything that ran in it.
set -euo pipefail
# All bytes are characters: grep tells nothing of what it takes for binary.
export LC_ALL=C
does=$1
cd "$2"
shift 2
sum() { if command -v sha256sum > /dev/null; then sha256sum "$@"; else shasum -a 256 "$@"; fi; }
case "$does" in
  write)
    list="SHA256SUMS-$1"
    rm -f "$list"
    find . -maxdepth 1 -type f -name '*.*' | sort | while IFS= read -r file; do sum "$file"; done > "$list"
    digest=$(sum "$list")
    printf '%s=%s\n' "$1" "${digest%% *}" >> "$GITHUB_OUTPUT"
    ;;
  check)
    known=''
    while [ $# -gt 0 ]; do
      list="SHA256SUMS-$1"
      [[ "${2:-}" =~ ^[0-9a-f]{64}$ ]] || { echo "No digest of $list is given."; exit 1; }
      printf '%s  %s\n' "$2" "$list" | sum --check --quiet --strict -
      sum --check --quiet "$list"
      # A line that gives no digest, as a comment, names nothing.
      known+="./$list"$'\n'"$(sed -n 's/^[0-9a-f]\{64\} [ *]//p' "$list")"$'\n'
      shift 2
    done
    # A name may end in a line end. Of empty lines at the end a shell keeps none, so words stand before each.
    strange=$(find . -mindepth 1 | { grep -vxF -f <(printf '%s' "$known") || true; } | sed 's/^/In no list: /')
    [ -z "$strange" ] || { printf '%s\n' "$strange"; exit 1; }
    ;;
  *) exit 2 ;;
esac

#!/usr/bin/env bash
# Plays the seeds of this night's date and adds them to sum.json in the folder, which also gets what failed seeds printed. Names these by their
# command in the summary and as the output "failed". Fails when a seed does, or when the simulation cannot be run.
set -euo pipefail
folder=$1
night=$(date -u +%F)
status=0
failed=

# play WORDS...: a part of the night.
play() {
  local words="$*" seed log
  log="$folder/$night${words// /}.log"
  npm run --silent simulate -- --night "$night" --sum "$folder/sum.json" "$@" | tee "$log" || status=1
  {
    echo "npm run simulate -- --night $night $*"
    tail -n 2 "$log"
    echo
  } >> "$GITHUB_STEP_SUMMARY"
  for seed in $(sed -n 's/^seed \([0-9]*\) FAILED.*/\1/p' "$log"); do
    failed+="    npm run simulate -- --seed $seed ${*:3}"$'\n'
  done
}

rm -f "$folder"/*.log
play --minutes 130
play --minutes 130 --shifts 2
play --minutes 60 --hub
if [ -n "$failed" ]; then
  printf 'Failed, again by:\n\n%s\n' "$failed" >> "$GITHUB_STEP_SUMMARY"
  printf 'failed<<END\n%sEND\n' "$failed" >> "$GITHUB_OUTPUT"
fi
exit "$status"

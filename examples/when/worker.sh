#!/bin/sh
# Works on what waits for a handler in a book of files: worker.sh BOOK HANDLER
set -eu
cd "$1"
for task in $(grep -ls "\"target_general\": *\"$2\"" queue/tasks/pending/*.json); do
  name=$(basename "$task")
  mv "$task" "queue/tasks/in_progress/$name" || continue # whoever moves it has it
  printf '{"status":"success","summary":"done by a shell on %s"}' "$(uname -s)" >"state/results/.tmp-$name"
  mv "state/results/.tmp-$name" "state/results/$name"
done

#!/bin/sh
# Tells a book of files that something happened: emit.sh BOOK TYPE [TEXT]
set -eu
json() { printf '%s\n' "$1" | sed -e 's/[\\"]/\\&/g' -e "s/$(printf '\t')/\\\\t/g" -e '$!s/$/\\n/' | tr -d '\n'; }
id="evt-shell-$(date +%s)-$$"
cd "$1/queue/events/pending"
printf '{"id":"%s","type":"%s","source":"shell","payload":{"text":"%s"}}' "$id" "$(json "$2")" "$(json "${3:-}")" >".tmp-$id"
mv ".tmp-$id" "$id.json" # nobody sees half of it
echo "$id"

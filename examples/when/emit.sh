#!/bin/sh
# Tells a book of files that something happened: emit.sh BOOK TYPE [TEXT]
set -eu
id="evt-shell-$(date +%s)-$$"
cd "$1/queue/events/pending"
printf '{"id":"%s","type":"%s","source":"shell","payload":{"text":"%s"}}' "$id" "$2" "${3:-}" >".tmp-$id"
mv ".tmp-$id" "$id.json" # nobody sees half of it
echo "$id"

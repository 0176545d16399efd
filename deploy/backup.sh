#!/bin/sh
# Copies the SQLite database while the service runs, and checks the copy: backup.sh <database> <directory> <days>
# Copies that are older than these days are deleted.
set -eu
umask 077
database=$1
directory=$2
days=$3

find "$directory" -name 'frontdesk-*.db.part' -delete
copy="$directory/frontdesk-$(date -u +%Y-%m-%dT%H%M%SZ).db"
sqlite3 -readonly "$database" "VACUUM INTO '$copy.part'"
test "$(sqlite3 -readonly "$copy.part" 'PRAGMA integrity_check')" = ok
mv "$copy.part" "$copy"
find "$directory" -name 'frontdesk-*.db' -mtime "+$days" -delete

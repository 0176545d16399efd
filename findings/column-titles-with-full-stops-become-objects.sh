#!/bin/sh
# csvtojson and Miller make nested objects of columns whose titles have a full stop: of the answers to "1. Name" and "1. Age",
# as numbered questions of a form are exported, neither column is left, but one object with the members " Name" and " Age".
# Expected: one member for each column, named by its title, as csv-parse does; flatKeys and --no-auto-unflatten give that.
# Needs Debian 12's miller, and npm.
set -eu
fail() { echo "$*" >&2; exit 1; }
version=$(dpkg-query -W -f '${Version}' miller 2>/dev/null) || fail 'miller is not installed'
case "$version" in 6.6.0*) echo "miller $version, csvtojson 2.0.14, csv-parse 7.0.3" ;; *) fail "unexpected: miller $version" ;; esac
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 1' INT TERM
cd "$dir"
echo '{"private":true,"type":"module"}' > package.json
npm install --silent --ignore-scripts --no-audit --no-fund csvtojson@2.0.14 csv-parse@7.0.3
printf 'id,1. Name,1. Age,2. Town\na,Ada,36,London\n' > answers.csv
cat > check.js <<'END'
import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import csv from 'csvtojson';
const text = readFileSync('answers.csv', 'utf8');
const show = (title, [row]) => console.log(title, JSON.stringify(row, ['id', ...Object.keys(row).sort(), ' Age', ' Name', ' Town']));
show('csvtojson:', await csv().fromString(text));
show('csvtojson, flatKeys:', await csv({ flatKeys: true }).fromString(text));
show('csv-parse:', parse(text, { columns: true }));
END
{
  node check.js
  echo "Miller: $(mlr --icsv --ojsonl cat answers.csv)"
  echo "Miller, --no-auto-unflatten: $(mlr --icsv --ojsonl --no-auto-unflatten cat answers.csv)"
} > seen
cat seen
cat > expected <<'END'
csvtojson: {"id":"a","1":{" Age":"36"," Name":"Ada"},"2":{" Town":"London"}}
csvtojson, flatKeys: {"id":"a","1. Age":"36","1. Name":"Ada","2. Town":"London"}
csv-parse: {"id":"a","1. Age":"36","1. Name":"Ada","2. Town":"London"}
Miller: {"id": "a", "1": {" Name": "Ada", " Age": 36}, "2": {" Town": "London"}}
Miller, --no-auto-unflatten: {"id": "a", "1. Name": "Ada", "1. Age": 36, "2. Town": "London"}
END
diff expected seen && echo 'as expected'

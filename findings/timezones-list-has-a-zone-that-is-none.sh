#!/bin/sh
# timezones-list, for lists to choose from, has "Europe/Zaporizhzhia", which is not in the database of time zones: whoever chooses it
# causes a RangeError in each Intl.DateTimeFormat. Its labels have offsets that ended between 2017 and 2022: people of Amman,
# Damascus, Chihuahua and Windhoek find their zone under another one.
# Expected: names of the IANA database and the offsets of today, as @vvo/tzdb has them.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true,"type":"module"}' > package.json
npm install --silent --ignore-scripts --no-audit --no-fund timezones-list@3.1.0 @vvo/tzdb@6.202.0
cat > check.js <<'END'
import { rawTimeZones } from '@vvo/tzdb';
import list from 'timezones-list';
const zones = list.default ?? list;
const offset = (timeZone) => {
  try {
    const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
    const parts = format.formatToParts(new Date('2026-01-15T12:00:00Z'));
    return parts.find(({ type }) => type === 'timeZoneName').value.slice(3);
  } catch (error) {
    return error.name;
  }
};
const unknown = zones.map(({ tzCode }) => tzCode).filter((name) => offset(name) === 'RangeError');
console.log(`timezones-list 3.1.0: of ${zones.length} zones, ${unknown.join()} is no zone for Intl (${process.versions.tz})`);
const judge = (name) => {
  const { utc } = zones.find(({ tzCode }) => tzCode === name);
  const minutes = rawTimeZones.find(({ group }) => group.includes(name)).rawOffsetInMinutes;
  const result = `${utc} ${offset(name)} ${minutes / 60}`;
  console.log(`${name}: list, Intl, @vvo/tzdb: ${result}`);
  return result;
};
const results = ['Europe/Athens', 'Asia/Amman', 'Asia/Damascus', 'America/Chihuahua', 'Africa/Windhoek'].map(judge);
const expected = ['+02:00 +02:00 2', '+02:00 +03:00 3', '+02:00 +03:00 3', '-07:00 -06:00 -6', '+01:00 +02:00 2'];
process.exit(unknown.join() === 'Europe/Zaporizhzhia' && results.join() === expected.join() ? 0 : 1);
END
node check.js

#!/bin/sh
# A reminder of 15 minutes before is -PT15M, as calendars and moment write it. iso8601-duration and the duration plugin of dayjs read
# 15 minutes after, without an error. dayjs also writes one text for a day less two hours and for two hours less a day, "-P1DT2H",
# which stands for neither: its own durations come back with another length. luxon writes PT-15M, which Temporal cannot read.
# Expected: -15 minutes, as moment, luxon and Temporal read them (RFC 5545 sections 3.3.6 and 3.8.6.3, whose example is -PT15M; XML
# Schema, part 2, section 3.2.6.1: a sign before the P holds for the whole duration), or an error, as of other texts.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true,"type":"module"}' > package.json
npm install --silent --ignore-scripts --no-audit --no-fund \
  iso8601-duration@2.1.4 dayjs@1.11.23 moment@2.31.0 luxon@3.7.2 temporal-polyfill@1.0.8
cat > check.js <<'END'
import dayjs from 'dayjs';
import plugin from 'dayjs/plugin/duration.js';
import { parse, toSeconds } from 'iso8601-duration';
import { Duration } from 'luxon';
import moment from 'moment';
import { Temporal } from 'temporal-polyfill';
console.log('iso8601-duration 2.1.4, dayjs 1.11.23, moment 2.31.0, luxon 3.7.2, temporal-polyfill 1.0.8');
dayjs.extend(plugin);
const readers = {
  'iso8601-duration': (text) => toSeconds(parse(text)) / 60,
  dayjs: (text) => dayjs.duration(text).asMinutes(),
  moment: (text) => moment.duration(text).asMinutes(),
  luxon: (text) => Duration.fromISO(text).as('minutes'),
  Temporal: (text) => Temporal.Duration.from(text).total('minutes'),
};
const read = (text) => {
  const minutes = Object.entries(readers).map(([name, reader]) => {
    try {
      return `${name} ${reader(text)}`;
    } catch (error) {
      return `${name} ${error.name}`;
    }
  });
  return `${text} in minutes: ${minutes.join(', ')}`;
};
const before = { minutes: -15 };
const results = [
  `moment writes ${read(moment.duration(before).toISOString())}`,
  `luxon writes ${read(Duration.fromObject(before).toISO())}`,
  ...[before, { days: 1, hours: -2 }, { days: -1, hours: 2 }].map((parts) => {
    const duration = dayjs.duration(parts);
    return `dayjs writes, of ${duration.asMinutes()}, ${read(duration.toISOString())}`;
  }),
];
console.log(results.join('\n'));
const minus = '-PT15M in minutes: iso8601-duration 15, dayjs 15, moment -15, luxon -15, Temporal -15';
const mixed = '-P1DT2H in minutes: iso8601-duration 1560, dayjs 1560, moment -1560, luxon -1560, Temporal -1560';
const expected = [
  `moment writes ${minus}`,
  'luxon writes PT-15M in minutes: iso8601-duration RangeError, dayjs -15, moment -15, luxon -15, Temporal RangeError',
  `dayjs writes, of -15, ${minus}`,
  `dayjs writes, of 1320, ${mixed}`,
  `dayjs writes, of -1320, ${mixed}`,
];
process.exit(results.join('\n') === expected.join('\n') ? 0 : 1);
END
node check.js

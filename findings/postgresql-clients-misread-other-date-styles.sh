#!/bin/sh
# Two clients of PostgreSQL read dates as the setting DateStyle = ISO writes them, and neither demands it: with another one, such as
# an administrator sets for a role or a database, postgres takes the day for the month without an error (1 February for 2 January)
# and pg returns null for each date and time. With another IntervalStyle, pg reads no time at all from an interval, and with
# bytea_output = escape, postgres reads one byte from four.
# Expected: the values; the connection can demand the styles (libpq's options, or SET), as pg_dump does, and the JDBC driver for dates.
# Needs Debian 12's postgresql-15; run as root, because PostgreSQL runs as the user postgres.
set -eu
fail() { echo "$*" >&2; exit 1; }
version=$(dpkg-query -W -f '${Version}' postgresql-15 2>/dev/null) || fail 'postgresql-15 is not installed'
case "$version" in 15.*) echo "postgresql-15 $version, pg 8.23.1, postgres 3.4.9" ;; *) fail "unexpected: postgresql-15 $version" ;; esac
bin=/usr/lib/postgresql/15/bin
dir=$(mktemp -d)
as_postgres() { setpriv --reuid postgres --regid postgres --clear-groups env HOME="$dir" "$@"; }
trap 'as_postgres $bin/pg_ctl -D "$dir/data" -m immediate stop >/dev/null 2>&1 || true; rm -rf "$dir"' EXIT
trap 'exit 1' INT TERM
chown postgres "$dir"
cd "$dir"
as_postgres $bin/initdb -D "$dir/data" -U postgres -A trust >/dev/null
as_postgres $bin/pg_ctl -D "$dir/data" -l "$dir/log" -o "-p 18450 -h 127.0.0.1 -k $dir -F" -w start >/dev/null
echo '{"private":true,"type":"module"}' > package.json
npm install --silent --ignore-scripts --no-audit --no-fund pg@8.23.1 postgres@3.4.9
cat > check.js <<'END'
import pg from 'pg';
import postgres from 'postgres';
const url = 'postgres://postgres@127.0.0.1:18450/postgres';
const query = `select timestamptz '2026-02-01 10:00:00+00' as time, interval '1 day 02:00:00' as interval,
  bytea '\\xdeadbeef' as bytes`;
const show = ({ time, interval, bytes }) =>
  [time, interval, bytes.toString('hex')].map((value) => JSON.stringify(value)).join(' ');
const results = [];
const settings = [
  "DateStyle = 'ISO, DMY'",
  "DateStyle = 'SQL, DMY'",
  "DateStyle = 'German'",
  "IntervalStyle = 'iso_8601'",
  "bytea_output = 'escape'",
];
for (const setting of settings) {
  const first = new pg.Client(url);
  await first.connect();
  await first.query(`alter role postgres reset all; alter role postgres set timezone = 'UTC'; alter role postgres set ${setting}`);
  await first.end();
  const client = new pg.Client(url);
  await client.connect();
  const byPg = show((await client.query(query)).rows[0]);
  await client.end();
  const sql = postgres(url);
  const byPostgres = show((await sql.unsafe(query))[0]);
  await sql.end();
  console.log(`${setting}\n  pg: ${byPg}\n  postgres: ${byPostgres}`);
  results.push(byPg, byPostgres);
}
const time = '"2026-02-01T10:00:00.000Z"';
const interval = '{"days":1,"hours":2}';
const text = '"1 day 02:00:00"';
const bytes = '"deadbeef"';
const swapped = '"2026-01-02T10:00:00.000Z"';
const expected = [
  `${time} ${interval} ${bytes}`,
  `${time} ${text} ${bytes}`,
  ...[1, 2].flatMap(() => [`null ${interval} ${bytes}`, `${swapped} ${text} ${bytes}`]),
  `${time} {} ${bytes}`,
  `${time} "P1DT2H" ${bytes}`,
  `${time} ${interval} ${bytes}`,
  `${time} ${text} "36"`,
];
process.exit(results.join('\n') === expected.join('\n') ? 0 : 1);
END
node check.js

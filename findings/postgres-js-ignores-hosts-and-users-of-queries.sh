#!/bin/sh
# What two clients of PostgreSQL read from URIs like those of its documentation. postgres ignores host, port and user in the query, and
# connects to another server, or as another role, than psql does with the same URI; it takes an encoded directory of sockets for a
# host name, and "[2001" for an IPv6 address. Neither client decodes %2F in the name of a database.
# Expected: the third line of each (PostgreSQL 17, section 32.1.1.2: a query sets parameters, percent-encoding may be used in all
# parts of the URI, and an encoded host that starts with a slash is a directory); pg-connection-string, that of pg, reads most of it.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true,"type":"module"}' > package.json
npm install --silent --ignore-scripts --no-audit --no-fund postgres@3.4.9 pg-connection-string@2.14.1
cat > check.js <<'END'
import connectionString from 'pg-connection-string';
import postgres from 'postgres';
console.log('postgres 3.4.9, pg-connection-string 2.14.1, the documentation (PGUSER is "me")');
const uris = [
  ['postgresql://ada@db.example:6000/accounts', 'ada db.example 6000 accounts'],
  ['postgresql://db.example/accounts?user=ada&port=6000', 'ada db.example 6000 accounts'],
  ['postgresql:///accounts?host=db.example&port=6000', 'me db.example 6000 accounts'],
  ['postgresql:///accounts?host=/run/postgresql', 'me /run/postgresql 5432 accounts'],
  ['postgresql://ada@%2Frun%2Fpostgresql/accounts', 'ada /run/postgresql 5432 accounts'],
  ['postgresql://ada@[2001:db8::1]:6000/accounts', 'ada 2001:db8::1 6000 accounts'],
  ['postgresql://ada@db.example/accounts%2F2026', 'ada db.example 5432 accounts/2026'],
];
const results = uris.map(([uri, right]) => {
  const { user, host, port, database, path } = postgres(uri).options;
  const other = connectionString.parse(uri);
  const texts = [
    [user, path || host, port, database].join(' '),
    [other.user || 'me', other.host, other.port || 5432, other.database].join(' '),
  ];
  console.log(`${uri}\n  ${texts.join('\n  ')}\n  ${right}`);
  return texts.map((text) => (text === right ? 'right' : text)).join(', ');
});
const expected = [
  'right, right',
  'me db.example 5432 accounts, right',
  'me localhost 5432 accounts, right',
  'me localhost 5432 accounts, right',
  'ada %2Frun%2Fpostgresql 5432 accounts, right',
  'ada [2001 NaN accounts, right',
  'ada db.example 5432 accounts%2F2026, ada db.example 5432 accounts%2F2026',
];
process.exit(results.join('\n') === expected.join('\n') ? 0 : 1);
END
env -u PGHOST -u PGPORT -u PGDATABASE -u PGUSERNAME PGUSER=me node check.js

#!/bin/sh
# pool.connect() and pool.query() of pg return promises, and pass errors to a callback where one is given; but if a file that the
# URL names (sslrootcert, sslcert or sslkey) cannot be read, they throw at once. A .catch() behind the call, and the callback, are
# never called: a certificate that is rotated, or has lost its permission, takes the path of a programming error instead of that of
# a lost connection. The files are read for each new connection, so that this can also happen hours after the start.
# Expected: a rejected promise, or a call of the callback, as for a server that refuses the connection.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true,"type":"module"}' > package.json
npm install --silent --ignore-scripts --no-audit --no-fund pg@8.23.1
cat > check.js <<'END'
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
console.log('pg 8.23.1');
const server = 'postgres://user@127.0.0.1:1/data';
const urls = {
  'a server that refuses': server,
  'no file of sslrootcert': `${server}?sslmode=verify-full&sslrootcert=/no-such-file.pem`,
  'no file of sslcert': `${server}?sslmode=require&sslcert=/no-such-file.pem`,
};
const seen = [];
for (const [title, connectionString] of Object.entries(urls)) {
  const pool = new pg.Pool({ connectionString });
  const calls = {
    'connect()': () => pool.connect(),
    'query()': () => pool.query('select 1'),
    'query() with a callback': (note) => pool.query('select 1', (error) => note(`called back with ${error.code}`)),
  };
  for (const [name, call] of Object.entries(calls)) {
    let outcome = 'nothing';
    const note = (text) => (outcome = text);
    try {
      call(note)?.catch((error) => note(`rejected with ${error.code}`));
    } catch (error) {
      note(`threw ${error.code}`);
    }
    await wait(200);
    console.log(`${title}: ${name} ${outcome}`);
    seen.push(outcome);
  }
}
const refused = ['rejected with ECONNREFUSED', 'rejected with ECONNREFUSED', 'called back with ECONNREFUSED'];
const threw = Array(6).fill('threw ENOENT');
process.exit(seen.join() === [...refused, ...threw].join() ? 0 : 1);
END
node check.js

#!/bin/sh
# ratelimit-header-parser reads NaN and an invalid date from the headers that express-rate-limit, of the same makers, sends with
# standardHeaders: 'draft-8', also if X-RateLimit-* is sent beside them: a client that waits by it does not wait.
# Expected: limit, remaining requests and reset, as of draft-6 and draft-7; at least those of X-RateLimit-*.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true,"type":"module"}' > package.json
npm install --silent --ignore-scripts --no-audit --no-fund express@5.3.0 express-rate-limit@8.7.5 ratelimit-header-parser@0.1.0
cat > check.js <<'END'
import express from 'express';
import { rateLimit } from 'express-rate-limit';
import { parseRateLimit } from 'ratelimit-header-parser';
const judge = async (standardHeaders, legacyHeaders) => {
  const app = express().use(rateLimit({ limit: 100, windowMs: 60000, standardHeaders, legacyHeaders }));
  const server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { headers } = await fetch(`http://127.0.0.1:${server.address().port}/`);
  server.close();
  const { limit, remaining, reset } = parseRateLimit(headers);
  const result = `${limit} ${remaining} ${Number.isNaN(reset.getTime()) ? reset : 'a time'}`;
  const sent = [...headers.keys()].filter((name) => name.includes('ratelimit')).join(' ');
  console.log(`${standardHeaders}, sent ${sent}: ${result}`);
  return result;
};
console.log('express-rate-limit 8.7.5, ratelimit-header-parser 0.1.0');
const results = [
  await judge('draft-6', false),
  await judge('draft-7', false),
  await judge('draft-8', false),
  await judge('draft-8', true),
];
const expected = ['100 99 a time', '100 99 a time', 'NaN NaN Invalid Date', 'NaN NaN Invalid Date'];
process.exit(results.join() === expected.join() ? 0 : 1);
END
node check.js

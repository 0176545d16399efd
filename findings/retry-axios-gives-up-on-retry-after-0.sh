#!/bin/sh
# retry-axios retries what fails for a moment, with or without Retry-After, but not if Retry-After is 0 or a time that has passed:
# the first 429 or 503 is the result. A server that rounds down sends 0 for the last second of a limit; a date of the server
# is in the past for each client whose clock is a little fast.
# Expected: a retry, at once or after the usual delay, as by axios-retry, ky and got (RFC 9110 section 10.2.3: delay-seconds is a
# non-negative integer). checkRetryAfter: false helps, and ignores the longer ones, too.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true,"type":"module"}' > package.json
npm install --silent --ignore-scripts --no-audit --no-fund retry-axios@4.0.3 axios@1.21.1 axios-retry@4.5.0 ky@1.14.3 got@14.6.6
cat > check.js <<'END'
import { createServer } from 'node:http';
import axios from 'axios';
import axiosRetry from 'axios-retry';
import got from 'got';
import ky from 'ky';
import { attach } from 'retry-axios';
console.log('retry-axios 4.0.3, axios 1.21.1, axios-retry 4.5.0, ky 1.14.3, got 14.6.6');
const first = axios.create();
attach(first);
const second = axios.create();
axiosRetry(second);
const clients = {
  'retry-axios': (url) => first.get(url),
  'axios-retry': (url) => second.get(url),
  ky: (url) => ky.get(url),
  got: (url) => got.get(url),
};
const countRequests = async (send, retryAfter) => {
  let requests = 0;
  const server = createServer((_, response) => {
    requests += 1;
    if (requests === 1) response.writeHead(503, retryAfter === undefined ? {} : { 'retry-after': retryAfter });
    response.end();
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const result = await send(`http://127.0.0.1:${server.address().port}/`).then(() => 'success', (error) => error.message);
  server.closeAllConnections();
  server.close();
  return `${requests} ${result}`;
};
const values = [undefined, '1', '0', new Date(Date.now() - 60000).toUTCString()];
const results = await Promise.all(
  Object.entries(clients).map(async ([name, send]) => {
    const seen = [];
    for (const value of values) {
      const result = await countRequests(send, value);
      console.log(`${name}, Retry-After ${value ?? 'not sent'}: requests and result: ${result}`);
      seen.push(result);
    }
    return seen.join();
  }),
);
const retried = '2 success,2 success,2 success,2 success';
const error = '1 Request failed with status code 503';
process.exit(results.join('|') === [`2 success,2 success,${error},${error}`, retried, retried, retried].join('|') ? 0 : 1);
END
node check.js

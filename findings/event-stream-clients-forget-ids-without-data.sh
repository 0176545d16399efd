#!/bin/sh
# A server of events can say how far a reader is with a block that has an id and no data, so that events which do not concern the
# reader are not sent again. Three clients ignore such a block: after a lost connection they ask for all that follows the last event
# with data, after hours without one for all of these hours.
# Expected: the id of the block in Last-Event-ID, as eventsource sends it (HTML Standard, section 9.2.6: to dispatch an event
# sets the last event ID first, and returns because of the empty data only after that).
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true,"type":"module"}' > package.json
npm install --silent --ignore-scripts --no-audit --no-fund \
  eventsource@5.1.5 launchdarkly-eventsource@2.2.0 eventsource-client@1.2.0 event-source-plus@0.1.15
cat > check.js <<'END'
import { createServer } from 'node:http';
import { EventSource } from 'eventsource';
import { createEventSource } from 'eventsource-client';
import { EventSourcePlus } from 'event-source-plus';
import launchdarkly from 'launchdarkly-eventsource';
console.log('eventsource 5.1.5, launchdarkly-eventsource 2.2.0, eventsource-client 1.2.0, event-source-plus 0.1.15');
const open = {
  eventsource(url) {
    const client = new EventSource(url);
    return () => client.close();
  },
  'launchdarkly-eventsource'(url) {
    const client = new launchdarkly.EventSource(url);
    client.onerror = () => {};
    return () => client.close();
  },
  'eventsource-client'(url) {
    const client = createEventSource(url);
    return () => client.close();
  },
  'event-source-plus'(url) {
    const controller = new EventSourcePlus(url).listen({ onMessage() {} });
    return () => controller.abort();
  },
};
const readSecondId = async (name, stream) => {
  let requests = 0;
  let resolve;
  const secondId = new Promise((settle) => {
    resolve = settle;
  });
  const server = createServer((request, response) => {
    requests += 1;
    response.writeHead(200, { 'content-type': 'text/event-stream', connection: 'close' });
    if (requests === 1) return response.end(stream);
    response.flushHeaders();
    resolve(request.headers['last-event-id']);
  }).listen(0, '127.0.0.1');
  await new Promise((listening) => server.once('listening', listening));
  const close = open[name](`http://127.0.0.1:${server.address().port}/`);
  const id = await secondId;
  close();
  server.closeAllConnections();
  server.close();
  return id;
};
const results = [];
for (const name of Object.keys(open)) {
  const withData = await readSecondId(name, 'retry: 10\n\nid: 1\ndata: a\n\nid: 2\ndata: b\n\n');
  const without = await readSecondId(name, 'retry: 10\n\nid: 1\ndata: a\n\nid: 2\n\n');
  console.log(`${name}: Last-Event-ID is ${withData} after "id: 2" with data, and ${without} after "id: 2" without`);
  results.push(`${withData}${without}`);
}
process.exit(results.join() === '22,21,21,21' ? 0 : 1);
END
node check.js

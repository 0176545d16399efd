#!/bin/sh
# The SDK of CloudEvents for JavaScript reads no data from a structured event whose data is 0, false or "", and texts from a binary one
# with 5, false or null as application/json. An event without time, which is optional, gets that of its receipt, another one
# for each delivery of the same event. Subjects that HTTP headers carry in percent-encoding stay encoded, and are sent as they are.
# Expected: the JSON value (JSON Event Format 1.0.2 section 3.1.2, and RFC 8259 section 2, by which any value is a text of JSON), no
# time, and attributes that are encoded in headers only (HTTP Protocol Binding 1.0.2 section 3.1.3.2).
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true,"type":"module"}' > package.json
npm install --silent --ignore-scripts --no-audit --no-fund cloudevents@10.0.0
cat > check.js <<'END'
import { CloudEvent, HTTP } from 'cloudevents';
console.log('cloudevents 10.0.0');
const attributes = { specversion: '1.0', id: '1', source: 'https://op.example', type: 'user.changed' };
const structured = (members) => ({
  headers: { 'content-type': 'application/cloudevents+json' },
  body: JSON.stringify({ ...attributes, ...members }),
});
const binary = (body, headers = {}) => ({
  headers: {
    'content-type': 'application/json',
    ...Object.fromEntries(Object.entries(attributes).map(([name, value]) => [`ce-${name}`, value])),
    ...headers,
  },
  body,
});
const results = [];
const show = (title, value) => {
  const text = value === undefined ? 'undefined' : JSON.stringify(value);
  console.log(`${title}: ${text}`);
  results.push(text);
};
for (const data of [1, 0, false, '']) show(`structured, data ${JSON.stringify(data)}`, HTTP.toEvent(structured({ data })).data);
for (const body of ['{"a":5}', '5', 'false', 'null']) show(`binary, body ${body}`, HTTP.toEvent(binary(body)).data);
const start = new Date().toISOString();
show('structured without time, time since its receipt', HTTP.toEvent(structured({})).time >= start);
show('binary, subject caf%C3%A9', HTTP.toEvent(binary('{}', { 'ce-subject': 'caf%C3%A9' })).subject);
show('sent subject café', HTTP.binary(new CloudEvent({ ...attributes, subject: 'café' })).headers['ce-subject']);
const expected = [
  ['1', 'undefined', 'undefined', 'undefined'],
  ['{"a":5}', '"5"', '"false"', '"null"'],
  ['true', '"caf%C3%A9"', '"café"'],
];
process.exit(results.join() === expected.flat().join() ? 0 : 1);
END
node check.js

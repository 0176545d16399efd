#!/bin/sh
# ldapts takes each escaped byte of a filter for a letter of its own, and sends it as UTF-8: (sn=Lu\c4\8di\c4\87), an example of the RFC,
# finds no Lučić, without an error. It rejects attributes that are named by their number or have an option, such as a language.
# Expected: the bytes that are escaped (RFC 4515 section 3, "\" and two digits stand for one octet); "Lučić" without escapes is sent well.
# Names of attributes are those of RFC 4512 section 2.5, with options and as OIDs, also in examples of RFC 4515, section 4.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true,"type":"module"}' > package.json
npm install --silent --ignore-scripts --no-audit --no-fund ldapts@8.2.0
cat > check.js <<'END'
import { once } from 'node:events';
import { createServer } from 'node:net';
import { Client } from 'ldapts';
console.log('ldapts 8.2.0: what a search sends, or its error');
const search = async (filter) => {
  let sent;
  const server = createServer((socket) =>
    socket.once('data', (data) => {
      sent = data;
      socket.destroy();
    }),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = new Client({ url: `ldap://127.0.0.1:${server.address().port}` });
  const error = await client.search('dc=example,dc=com', { filter }).catch((reason) => reason);
  server.close();
  if (!sent) return error.message;
  const value = sent.subarray(sent.indexOf('sn') + 4, -2);
  return `${value.toString('hex')} (${value})`;
};
const results = [];
for (const filter of [
  '(sn=Lučić)',
  String.raw`(sn=Lu\c4\8di\c4\87)`,
  String.raw`(sn=Lovelace \28Ada\29)`,
  '(sn;lang-hr=Lučić)',
  '(2.5.4.4=Lovelace)',
  String.raw`(1.3.6.1.4.1.1466.0=\04\02\48\69)`,
]) {
  results.push(await search(filter));
  console.log(`${filter}: ${results.at(-1)}`);
}
const hex = (text) => `${Buffer.from(text).toString('hex')} (${text})`;
const expected = [
  hex('Lučić'),
  hex('Lu\u00c4\u008di\u00c4\u0087'),
  hex('Lovelace (Ada)'),
  'Invalid expression: sn;lang-hr=Lučić',
  'Invalid expression: 2.5.4.4=Lovelace',
  String.raw`Invalid expression: 1.3.6.1.4.1.1466.0=\04\02\48\69`,
];
process.exit(results.join('\n') === expected.join('\n') ? 0 : 1);
END
node check.js

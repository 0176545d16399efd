#!/bin/sh
# From WWW-Authenticate with two challenges, such as Basic or DPoP before Bearer, the SDK of the Model Context Protocol reads no
# resource_metadata, so that it looks for the provider at a guessed address; www-authenticate reads one challenge, with a parameter
# "Bearer resource_metadata". Spaces around "=" hide the parameter, too. If the text of error_description has scope=…, the SDK takes
# it for the parameter, and requests another scope than the server demands.
# Expected: what oauth4webapi reads (RFC 9110, section 11.6.1: challenges are a list, and Headers of fetch joins fields of one name;
# section 11.2: spaces around "="; section 5.6.4: a quoted text is one value, and RFC 6750 section 3 allows "=" in it).
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true,"type":"module"}' > package.json
npm install --silent --ignore-scripts --no-audit --no-fund \
  @modelcontextprotocol/sdk@1.32.2 www-authenticate@0.6.3 oauth4webapi@3.8.8
cat > check.js <<'END'
import { extractWWWAuthenticateParams } from '@modelcontextprotocol/sdk/client/auth.js';
import * as oauth from 'oauth4webapi';
import www from 'www-authenticate';
console.log('@modelcontextprotocol/sdk 1.32.2, www-authenticate 0.6.3, oauth4webapi 3.8.8');
const url = new URL('https://api.example/');
const metadata = 'resource_metadata="https://api.example/metadata"';
const fields = [
  [`Bearer ${metadata}, scope="write"`],
  ['Basic realm="api"', `Bearer ${metadata}`],
  ['DPoP algs="ES256"', `Bearer ${metadata}`],
  ['Bearer realm="api", resource_metadata = "https://api.example/metadata"'],
  ['Bearer error_description="Ask for scope=read or scope=write", scope="write"'],
];
const results = [];
for (const values of fields) {
  const headers = new Headers(values.map((value) => ['www-authenticate', value]));
  const response = new Response('', { status: 401, headers });
  const { scheme, parms } = new www.parsers.WWW_Authenticate(headers.get('www-authenticate'));
  const request = oauth.protectedResourceRequest('token', 'GET', url, new Headers(), null, {
    [oauth.customFetch]: async () => response.clone(),
  });
  const challenges = await request.catch((error) => error.cause);
  const row = [extractWWWAuthenticateParams(response), { scheme, ...parms }, challenges].map((each) => JSON.stringify(each));
  console.log(`${values.join(' | ')}\n  ${row.join('\n  ')}`);
  results.push(...row.slice(0, 2));
}
const found = '{"resourceMetadataUrl":"https://api.example/metadata"';
const expected = [
  [`${found},"scope":"write"}`, '{"scheme":"Bearer","resource_metadata":"https://api.example/metadata","scope":"write"}'],
  ['{}', '{"scheme":"Basic","realm":"api","Bearer resource_metadata":"https://api.example/metadata"}'],
  ['{}', '{"scheme":"DPoP","algs":"ES256","Bearer resource_metadata":"https://api.example/metadata"}'],
  ['{}', '{"scheme":""}'],
  ['{"scope":"read"}', '{"scheme":"Bearer","error_description":"Ask for scope=read or scope=write","scope":"write"}'],
];
process.exit(results.join() === expected.flat().join() ? 0 : 1);
END
node check.js

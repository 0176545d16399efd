#!/bin/sh
# keycloak-js has a configuration for any provider of OpenID Connect (oidcProvider), and decodes the access token and the refresh
# token as JSON Web Tokens: with a provider whose tokens are none, such as those of the RFC, each sign-in ends with an error.
# Expected: tokens are opaque to the client (RFC 6749 sections 1.4 and 1.5); only the ID token is for it.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true,"type":"module"}' > package.json
npm install --silent --ignore-scripts --no-audit --no-fund keycloak-js@26.2.4
cat > check.js <<'END'
import { createServer } from 'node:http';
const page = 'https://app.example/';
const items = new Map();
const localStorage = {
  setItem: (key, value) => items.set(key, value),
  getItem: (key) => items.get(key) ?? null,
  removeItem: (key) => items.delete(key),
  key: (index) => [...items.keys()][index],
  get length() {
    return items.size;
  },
};
const location = { href: page, origin: 'https://app.example' };
const window = { location, localStorage, history: { replaceState() {} }, addEventListener() {}, isSecureContext: true };
Object.assign(globalThis, { window, location, localStorage, document: {}, isSecureContext: true });
const { default: Keycloak } = await import('keycloak-js');

let response;
const server = createServer((_, reply) => {
  reply.setHeader('content-type', 'application/json');
  reply.end(JSON.stringify(response));
}).listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));
const issuer = `http://127.0.0.1:${server.address().port}`;
const oidcProvider = { issuer, authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token` };
const client = () => new Keycloak({ clientId: 'portal', oidcProvider });
const options = { checkLoginIframe: false, responseMode: 'query', redirectUri: page };
const encode = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');

const signIn = async (title, tokens) => {
  location.href = page;
  const first = client();
  await first.init(options);
  const query = new URL(await first.createLoginUrl({ redirectUri: page })).searchParams;
  const now = Math.floor(Date.now() / 1000);
  const claims = { iss: issuer, aud: 'portal', sub: 'ada', iat: now, exp: now + 300, nonce: query.get('nonce') };
  const jwt = `${encode({ alg: 'RS256' })}.${encode(claims)}.c2lnbmF0dXJl`;
  response = { access_token: jwt, token_type: 'Bearer', expires_in: 300, id_token: jwt, ...tokens };
  location.href = `${page}?code=a-code&state=${query.get('state')}`;
  const result = await client().init(options).then(
    (authenticated) => `authenticated: ${authenticated}`,
    (error) => error.message,
  );
  console.log(`${title}: ${result}`);
  return result;
};
console.log('keycloak-js 26.2.4');
const results = [
  await signIn('access token as a JSON Web Token', {}),
  await signIn('opaque access token', { access_token: 'mF_9.B5f-4.1JqM' }),
  await signIn('opaque refresh token', { refresh_token: 'tGzv3JOkF0XG5Qx2TlKWIA' }),
];
server.close();
const expected = [
  'authenticated: true',
  'Unable to decode token, payload is not a valid Base64URL value.',
  'Unable to decode token, payload not found.',
];
process.exit(results.join() === expected.join() ? 0 : 1);
END
node check.js

#!/bin/sh
# Whoever cancels at the provider comes back with error=access_denied, and hapi's Bell answers 500 "An internal server error
# occurred": what went wrong is in the log only, and monitors count a fault of the server for each person who changes their mind.
# Expected: an error of the client; error=access_denied is a regular response (RFC 6749 section 4.1.2.1). To show a page, a
# route needs the mode "try", and the text of auth.error for the reason: its status is 500 there, too.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true,"type":"module"}' > package.json
npm install --silent --ignore-scripts --no-audit --no-fund @hapi/hapi@21.4.10 @hapi/bell@13.2.0
cat > check.js <<'END'
import bell from '@hapi/bell';
import hapi from '@hapi/hapi';
const server = hapi.server({ debug: false });
await server.register(bell);
server.auth.strategy('op', 'bell', {
  provider: { name: 'op', protocol: 'oauth2', auth: 'https://op.example/authorize', token: 'https://op.example/token' },
  clientId: 'portal',
  clientSecret: 'a secret',
  password: 'a password for the cookie, long enough',
  isSecure: false,
});
const handler = ({ auth }) => `${auth.error.message}, ${auth.error.output.statusCode}`;
server.route([
  { method: 'GET', path: '/required', options: { auth: 'op' }, handler },
  { method: 'GET', path: '/try', options: { auth: { strategy: 'op', mode: 'try' } }, handler },
]);
console.log('@hapi/bell 13.2.0, @hapi/hapi 21.4.10');
const cancel = async (path) => {
  const { headers } = await server.inject(path);
  const state = new URL(headers.location).searchParams.get('state');
  const [cookie] = headers['set-cookie'][0].split(';');
  const { statusCode, payload } = await server.inject({
    url: `${path}?error=access_denied&error_description=cancelled&state=${state}`,
    headers: { cookie },
  });
  console.log(path, statusCode, payload);
  return `${statusCode} ${payload}`;
};
const required = await cancel('/required');
const tried = await cancel('/try');
process.exit(required.startsWith('500 ') && tried === '200 App rejected: cancelled, 500' ? 0 : 1);
END
node check.js

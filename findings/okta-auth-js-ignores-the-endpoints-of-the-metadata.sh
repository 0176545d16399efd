#!/bin/sh
# okta-auth-js reads the discovery document of an issuer, and yet sends people to ISSUER/oauth2/v1/authorize, a path of its own vendor.
# Expected: the authorization_endpoint of the document (OpenID Connect Discovery 1.0, section 3), which the same library returns.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true,"type":"module"}' > package.json
npm install --silent --ignore-scripts --no-audit --no-fund @okta/okta-auth-js@8.0.1
cat > check.js <<'END'
import { createServer } from 'node:http';
import { getOAuthUrls, getWellKnown, OktaAuth } from '@okta/okta-auth-js';
const server = createServer((_, response) => {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ issuer, authorization_endpoint: `${issuer}/connect/authorize` }));
}).listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));
const issuer = `http://127.0.0.1:${server.address().port}`;
const auth = new OktaAuth({ issuer, clientId: 'portal', redirectUri: 'https://app.example/callback' });
const { authorization_endpoint: published } = await getWellKnown(auth);
const { authorizeUrl: used } = getOAuthUrls(auth);
const path = (url) => url.slice(issuer.length);
console.log(`@okta/okta-auth-js 8.0.1: published ${path(published)}, used ${path(used)}`);
server.close();
process.exit(path(published) === '/connect/authorize' && path(used) === '/oauth2/v1/authorize' ? 0 : 1);
END
node check.js

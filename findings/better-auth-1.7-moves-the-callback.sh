#!/bin/sh
# Better Auth 1.7 sends another redirect URI for a provider of its plugin genericOAuth than 1.6 does, from the same code: without
# /oauth2. A provider that compares redirect URIs, as it must, rejects each sign-in after this minor update. Version 1.7 has no
# route for the callback of 1.6 either, nor for its /sign-in/oauth2.
# Expected: the redirect URI that is registered at the provider, until the major version.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true,"type":"module"}' > package.json
npm install --silent --ignore-scripts --no-audit --no-fund better-auth-1.6@npm:better-auth@1.6.34 better-auth-1.7@npm:better-auth@1.7.25
cat > check.js <<'END'
const baseURL = 'https://app.example';
const old = `${baseURL}/api/auth/oauth2/callback/op`;
const judge = async (name) => {
  const { betterAuth } = await import(name);
  const { memoryAdapter } = await import(`${name}/adapters/memory`);
  const { genericOAuth } = await import(`${name}/plugins`);
  const provider = {
    providerId: 'op',
    clientId: 'portal',
    clientSecret: 'a secret',
    authorizationUrl: 'https://op.example/authorize',
    tokenUrl: 'https://op.example/token',
  };
  const { handler } = betterAuth({
    baseURL,
    secret: 'the secret of a test, which is long enough',
    database: memoryAdapter({ user: [], session: [], account: [], verification: [] }),
    logger: { disabled: true },
    plugins: [genericOAuth({ config: [provider] })],
  });
  const signIn = async (path, member) => {
    const body = JSON.stringify({ [member]: 'op', callbackURL: '/' });
    const headers = { 'content-type': 'application/json', origin: baseURL };
    const response = await handler(new Request(`${baseURL}/api/auth${path}`, { method: 'POST', headers, body }));
    return response.ok ? new URL((await response.json()).url).searchParams.get('redirect_uri') : response.status;
  };
  const result = [
    await signIn('/sign-in/social', 'provider'),
    await signIn('/sign-in/oauth2', 'providerId'),
    (await handler(new Request(`${old}?code=a&state=b`))).status,
  ].join(', ');
  console.log(`${name}: /sign-in/social, /sign-in/oauth2, and GET of the callback of 1.6: ${result}`);
  return result;
};
console.log('better-auth 1.6.34 and 1.7.25');
const results = [await judge('better-auth-1.6'), await judge('better-auth-1.7')];
const expected = [`${old}, ${old}, 302`, `${baseURL}/api/auth/callback/op, 404, 404`];
process.exit(results.join() === expected.join() ? 0 : 1);
END
node check.js

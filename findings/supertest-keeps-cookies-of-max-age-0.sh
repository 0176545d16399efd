#!/bin/sh
# The agents of supertest and superagent, whose cookies are those of cookiejar, know no Max-Age: after a sign-out that deletes the
# session cookie with Max-Age=0, the test still sends it, with an empty value; a cookie of a minute lasts as long as the agent.
# Expected: the cookie is deleted (RFC 6265 sections 5.2.2 and 5.3, where Max-Age precedes Expires), as tough-cookie deletes it.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true,"type":"module"}' > package.json
npm install --silent --ignore-scripts --no-audit --no-fund \
  supertest@7.3.2 superagent@10.4.2 cookiejar@2.1.4 tough-cookie@6.1.0 express@5.3.0
cat > check.js <<'END'
import express from 'express';
import request from 'supertest';
import { CookieJar } from 'tough-cookie';
console.log('supertest 7.3.2, superagent 10.4.2, cookiejar 2.1.4, tough-cookie 6.1.0');
const signOuts = {
  'Max-Age=0': 'sid=; Path=/; HttpOnly; Max-Age=0',
  'Expires in 1970': 'sid=; Path=/; HttpOnly; Expires=Thu, 01 Jan 1970 00:00:00 GMT',
  'Max-Age=0, Expires in 2099': 'sid=; Path=/; HttpOnly; Max-Age=0; Expires=Thu, 01 Jan 2099 00:00:00 GMT',
};
const signIn = 'sid=a-session; Path=/; HttpOnly';
const app = express();
app.get('/sign-in', (_, response) => response.append('Set-Cookie', signIn).end());
app.get('/sign-out', ({ query }, response) => response.append('Set-Cookie', signOuts[query.by]).end());
app.get('/cookies', ({ headers }, response) => response.json(headers.cookie ?? ''));
const results = [];
for (const by of Object.keys(signOuts)) {
  const agent = request.agent(app);
  await agent.get('/sign-in');
  await agent.get('/sign-out').query({ by });
  const sent = (await agent.get('/cookies')).body;
  const jar = new CookieJar();
  for (const cookie of [signIn, signOuts[by]]) jar.setCookieSync(cookie, 'http://app.example/');
  const kept = jar.getCookieStringSync('http://app.example/');
  console.log(`${by}: supertest sends "${sent}", tough-cookie "${kept}"`);
  results.push(`${sent}|${kept}`);
}
process.exit(results.join() === 'sid=|,|,sid=|' ? 0 : 1);
END
node check.js

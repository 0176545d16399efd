#!/bin/sh
# The verifiers standardwebhooks and svix find no header in a Headers object, which is what the request of fetch handlers has
# (Next.js, Hono, Remix, Deno): "Missing required headers", although all three are there. JavaScript does not warn of it.
# Expected: headers.get() is used, or the error names the type; Object.fromEntries(request.headers) verifies.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true,"type":"module"}' > package.json
npm install --silent --ignore-scripts --no-audit --no-fund standardwebhooks@1.1.1 svix@1.99.1
cat > check.js <<'END'
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
const body = '{"type":"user.created"}';
const judge = async (name, webhook) => {
  const now = new Date();
  const request = new Request('https://app.example/webhook', {
    method: 'POST',
    body,
    headers: {
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(Math.floor(now / 1000)),
      'webhook-signature': webhook.sign('msg_1', now, body),
    },
  });
  const text = await request.text();
  const verify = (headers) => {
    try {
      return webhook.verify(text, headers).type;
    } catch (error) {
      return error.message;
    }
  };
  const result = `${verify(request.headers)} | ${verify(Object.fromEntries(request.headers))}`;
  console.log(`${name}, request.headers | Object.fromEntries(request.headers): ${result}`);
  return result;
};
const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const results = [
  await judge('standardwebhooks 1.1.1', new StandardWebhook(secret)),
  await judge('svix 1.99.1', new SvixWebhook(secret)),
];
process.exit(results.every((result) => result === 'Missing required headers | user.created') ? 0 : 1);
END
node check.js

#!/bin/sh
# otplib 12 repeats a secret of 20 bytes until it has the 64 bytes of SHA-512: its codes are those of no other authenticator, also
# not of otplib 13, nor of @otplib/v12-adapter, its "drop-in replacement": whoever enrolled with version 12 is locked out by the update.
# Expected: the secret as it is (RFC 6238 section 5.1 recommends a length, RFC 2104 fills shorter keys with zeros).
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true,"type":"module"}' > package.json
npm install --silent --ignore-scripts --no-audit --no-fund \
  otplib-12@npm:otplib@12.0.1 otplib@13.5.0 @otplib/v12-adapter@13.4.0 otpauth@9.5.2
cat > check.js <<'END'
import { createHmac } from 'node:crypto';
import { authenticator as adapter } from '@otplib/v12-adapter';
import { Secret, TOTP } from 'otpauth';
import { generate } from 'otplib';
import { authenticator } from 'otplib-12';
const secret = 'JBSWY3DPEHPK3PXPGEZDGNBVGY3TQOJQ';
const epoch = 1111111109000;
const byHmac = (algorithm) => {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(epoch / 30000)));
  const digest = createHmac(algorithm, Secret.fromBase32(secret).bytes).update(counter).digest();
  const number = digest.readUInt32BE(digest.at(-1) & 15) & 0x7fffffff;
  return String(number % 1000000).padStart(6, '0');
};
console.log('otplib 12.0.1 and 13.5.0, @otplib/v12-adapter 13.4.0, otpauth 9.5.2: codes of a secret of 20 bytes');
const results = [];
for (const algorithm of ['sha1', 'sha256', 'sha512']) {
  authenticator.options = { algorithm, epoch };
  adapter.options = { algorithm, epoch };
  const old = authenticator.generate(secret);
  const others = [
    await generate({ secret, algorithm, epoch: epoch / 1000 }),
    adapter.generate(secret),
    new TOTP({ secret, algorithm }).generate({ timestamp: epoch }),
    byHmac(algorithm),
  ];
  const accepted = adapter.check(old, secret);
  console.log(algorithm, '12:', old, '13, adapter, otpauth, node:crypto:', others.join(), 'adapter accepts that of 12:', accepted);
  results.push(`${new Set(others).size} ${others.includes(old)} ${accepted}`);
}
process.exit(results.join() === '1 true true,1 true true,1 false false' ? 0 : 1);
END
node check.js

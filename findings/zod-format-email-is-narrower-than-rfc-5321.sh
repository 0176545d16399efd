#!/bin/sh
# z.fromJSONSchema rejects by "format": "email" what RFC 5321 allows in a local part (a$b, a/b, a&b, a=b, !a), and what <input type=email> accepts.
# Expected: the Mailbox of RFC 5321 section 4.1.2, to which the format refers (JSON Schema, section 7.3.2), as ajv-formats and python3-jsonschema accept it.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true,"type":"module"}' > package.json
npm install --silent --ignore-scripts --no-audit --no-fund zod@4.6.7 ajv@8.20.0 ajv-formats@3.0.1
cat > check.js <<'END'
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { z } from 'zod';
console.log('zod 4.6.7, ajv-formats 3.0.1');
const schema = { type: 'string', format: 'email' };
const ajv = new Ajv2020();
addFormats.default(ajv);
const byAjv = ajv.compile(schema);
const byZod = z.fromJSONSchema(schema);
const judge = (local) => {
  const email = `${local}@example.com`;
  const result = `${byZod.safeParse(email).success} ${byAjv(email)}`;
  console.log(email, 'zod, ajv-formats:', result);
  return result;
};
const usual = ['ada', "o'hara", 'a+b', 'a_b'].map(judge);
const others = ['a$b', 'a/b', 'a&b', 'a=b', '!a'].map(judge);
process.exit(usual.every((one) => one === 'true true') && others.every((one) => one === 'false true') ? 0 : 1);
END
node check.js

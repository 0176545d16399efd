#!/bin/sh
# z-schema rejects a schema with a repetition inside an optional group, such as ^[a-z]+(-[a-z]+)?$, which is matched in linear time, as "not a valid RegExp pattern".
# Expected: a valid schema is accepted, as by Ajv; or at least that only exponential patterns are rejected, with a message that says so.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true,"type":"module"}' > package.json
npm install --silent --no-audit --no-fund node@26.10.0 > /dev/null
npm install --silent --ignore-scripts --no-audit --no-fund z-schema@12.5.0 ajv@8.20.0
cat > check.js <<'END'
import { Ajv2020 } from 'ajv/dist/2020.js';
import ZSchema from 'z-schema';
console.log(`z-schema 12.5.0, ajv 8.20.0, Node ${process.version}`);
const judge = (pattern) => {
  const schema = { type: 'string', pattern };
  const { valid, err } = ZSchema.create({ safe: true }).validateSchema(schema);
  const byAjv = new Ajv2020().compile(schema)('a-b');
  console.log(pattern, 'z-schema:', valid ? 'a schema' : err.details[0].message, '| Ajv, of a-b:', byAjv);
  return `${valid} ${byAjv}`;
};
const results = ['^[a-z]+(-[a-z]+)?$', '^[a-z]+(-[a-z]+)*$', '^[a-z]+(-[a-z])?$'].map(judge);
process.exit(results.join() === 'false true,false true,true true' ? 0 : 1);
END
node_modules/.bin/node check.js

#!/bin/sh
# z.fromJSONSchema of an object with an optional member `constructor` or `toString` rejects {}: the members of Object.prototype are validated.
# Expected: {} is valid, as for @cfworker/json-schema: it has no such member, and which labels a form of others has is not known beforehand.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true,"type":"module"}' > package.json
npm install --silent --ignore-scripts --no-audit --no-fund zod@4.6.7 @cfworker/json-schema@4.1.6
cat > check.js <<'END'
import { Validator } from '@cfworker/json-schema';
import { z } from 'zod';
console.log('zod 4.6.7, @cfworker/json-schema 4.1.6');
const judge = (name) => {
  const schema = { type: 'object', properties: { [name]: { type: 'string' } } };
  const { success, error } = z.fromJSONSchema(schema).safeParse({});
  const { valid } = new Validator(schema).validate({});
  console.log(name, 'of {}, zod:', success ? 'valid' : error.issues[0].message, '| @cfworker/json-schema:', valid);
  return `${success} ${valid}`;
};
process.exit(['name', 'constructor', 'toString'].map(judge).join() === 'true true,false true,false true' ? 0 : 1);
END
node check.js

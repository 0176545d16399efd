#!/bin/sh
# What two generators make of nullable members of OpenAPI 3.1: swagger-typescript-api forgets the null of an enum, so that code which
# reads it is compiled without a check; openapi-zod-client forgets integer, minimum, maxLength and format of a member as soon as
# it may be null, and makes "unknown" of const, so that its validation accepts -1.5 for an integer from 0.
# Expected: what both make of the same members without null, and null; openapi-typescript has the right types.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true,"type":"module"}' > package.json
npm install --silent --ignore-scripts --no-audit --no-fund \
  swagger-typescript-api@13.13.0 openapi-zod-client@1.18.3 openapi-typescript@7.13.0
cat > make.js <<'END'
import { writeFileSync } from 'node:fs';
const properties = {
  state: { type: 'string', enum: ['open', 'closed'] },
  stateOrNull: { type: ['string', 'null'], enum: ['open', 'closed', null] },
  count: { type: 'integer', minimum: 0 },
  countOrNull: { type: ['integer', 'null'], minimum: 0 },
  email: { type: 'string', format: 'email', maxLength: 100 },
  emailOrNull: { type: ['string', 'null'], format: 'email', maxLength: 100 },
  kind: { const: 'user' },
};
const User = { type: 'object', required: Object.keys(properties), properties };
const content = { 'application/json': { schema: { $ref: '#/components/schemas/User' } } };
const get = { operationId: 'user', responses: { 200: { description: 'The user', content } } };
const document = { openapi: '3.1.0', info: { title: 'API', version: '1' }, paths: { '/user': { get } }, components: { schemas: { User } } };
writeFileSync('openapi.json', JSON.stringify(document));
END
node make.js
node_modules/.bin/swagger-typescript-api generate -p openapi.json -o . -n types.ts --no-client > /dev/null
node_modules/.bin/openapi-zod-client openapi.json -o zod.ts > /dev/null
node_modules/.bin/openapi-typescript openapi.json -o reference.ts > /dev/null 2>&1
members() { grep -E '^ +(state|count|email|kind)(OrNull)?:' "$1" | sed 's/^ */  /' | sort -u; }
for file in types zod reference; do
  echo "$file.ts"
  members $file.ts
done > seen
echo 'swagger-typescript-api 13.13.0, openapi-zod-client 1.18.3, openapi-typescript 7.13.0 (reference.ts)'
cat seen
cat > expected <<'END'
types.ts
  count: number;
  countOrNull: number | null;
  email: string;
  emailOrNull: string | null;
  kind: "user";
  state: "open" | "closed";
  stateOrNull: "open" | "closed";
zod.ts
  count: z.number().int().gte(0),
  countOrNull: z.union([z.number(), z.null()]),
  email: z.string().max(100).email(),
  emailOrNull: z.union([z.string(), z.null()]),
  kind: z.unknown(),
  state: z.enum(["open", "closed"]),
  stateOrNull: z.union([z.enum(["open", "closed", null]), z.null()]),
reference.ts
  count: number;
  countOrNull: number | null;
  email: string;
  emailOrNull: string | null;
  kind: "user";
  state: "open" | "closed";
  stateOrNull: "open" | "closed" | null;
END
diff expected seen && echo 'as expected'

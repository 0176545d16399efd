#!/bin/sh
# json-canonicalize writes what toJSON() returns as it is, so that objects of classes which have it (documents of Mongoose, rows of
# Sequelize, dates and amounts of libraries) get another canonical form than the same data once parsed: the signature that a
# sender makes of its objects is not the one that a receiver computes from the body, unless the members are sorted already.
# Expected: the members sorted at all depths (RFC 8785 section 3.2.3), as canonicalize sorts them.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true,"type":"module"}' > package.json
npm install --silent --ignore-scripts --no-audit --no-fund json-canonicalize@3.0.1 canonicalize@5.1.0
cat > check.js <<'END'
import canonicalize from 'canonicalize';
import { canonicalize as jsonCanonicalize } from 'json-canonicalize';
console.log('json-canonicalize 3.0.1, canonicalize 5.1.0');
class User {
  constructor(name, age) {
    Object.assign(this, { name, age });
  }
  toJSON() {
    return { name: this.name, age: this.age };
  }
}
const event = { type: 'user.created', data: new User('Ada', 36) };
const body = JSON.stringify(event);
const results = [
  jsonCanonicalize(event),
  jsonCanonicalize(JSON.parse(body)),
  canonicalize(event),
  canonicalize(JSON.parse(body)),
];
const titles = ['json-canonicalize, object', 'json-canonicalize, parsed', 'canonicalize, object', 'canonicalize, parsed'];
for (const [index, title] of titles.entries()) console.log(`${title}: ${results[index]}`);
const sorted = '{"data":{"age":36,"name":"Ada"},"type":"user.created"}';
const expected = ['{"data":{"name":"Ada","age":36},"type":"user.created"}', sorted, sorted, sorted];
process.exit(results.join('\n') === expected.join('\n') ? 0 : 1);
END
node check.js

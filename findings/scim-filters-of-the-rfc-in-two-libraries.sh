#!/bin/sh
# Filters of the kinds in figure 2 of RFC 7644 (section 3.4.2.2) that do not find a user who meets them, in two libraries of SCIM
# servers: attributes with the prefix of their schema, values of lists, e.g. of schemas and emails, and times with fractions.
# Expected: true in all rows (times are compared as times, and one value of a list is enough, in the same section).
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true,"type":"module"}' > package.json
npm install --silent --ignore-scripts --no-audit --no-fund scim2-parse-filter@0.2.10 scim-query-filter-parser@2.0.4
cat > check.js <<'END'
import { compileFilter } from 'scim-query-filter-parser';
import { filter, parse } from 'scim2-parse-filter';
console.log('scim2-parse-filter 0.2.10, scim-query-filter-parser 2.0.4');
const core = 'urn:ietf:params:scim:schemas:core:2.0:User';
const user = {
  schemas: [core],
  userName: 'James',
  emails: [{ type: 'work', value: 'james@example.com' }],
  meta: { lastModified: '2011-05-13T04:42:34.500Z' },
};
const attempt = (find) => {
  try {
    return find(user);
  } catch (error) {
    return error.message;
  }
};
const judge = (text) => {
  const result = `${attempt(filter(parse(text)))}, ${attempt((one) => compileFilter(text)(one))}`;
  console.log(text, '|', result);
  return result;
};
const results = [
  'userName sw "J"',
  'userName eq "james"',
  'emails[type eq "work" and value co "@example.com"]',
  'emails co "example.com"',
  `schemas eq "${core}"`,
  `${core}:userName sw "J"`,
  'meta.lastModified gt "2011-05-13T04:42:34Z"',
].map(judge);
const expected = [
  'true, true',
  'false, true',
  'true, true',
  'false, true',
  'false, true',
  'false, Failed to parse!',
  'false, false',
];
process.exit(results.join('|') === expected.join('|') ? 0 : 1);
END
node check.js

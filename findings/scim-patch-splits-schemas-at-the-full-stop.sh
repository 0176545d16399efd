#!/bin/sh
# scim-patch takes a whole extension in a PATCH without path for a path with a full stop, that of "2.0": the department goes to a
# new member "urn:…:enterprise:2" … "User", and the old one is kept. With the same name as a path, it is replaced. Besides, a new
# primary value leaves the old one primary, and a name of an attribute in other letters makes a second attribute.
# Expected: one department (RFC 7644 section 3.5.2.3); "primary" false for the others (3.5.2); names in any case (RFC 7643 2.1).
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true,"type":"module"}' > package.json
npm install --silent --ignore-scripts --no-audit --no-fund scim-patch@0.8.3
cat > check.js <<'END'
import { scimPatch } from 'scim-patch';
const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const user = () => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:User', enterprise],
  userName: 'ada',
  emails: [{ type: 'work', value: 'ada@work.example', primary: true }],
  [enterprise]: { department: 'old' },
});
const apply = (operation) => {
  const { schemas, ...patched } = scimPatch(user(), [operation]);
  console.log(JSON.stringify(operation), '\n  →', JSON.stringify(patched));
  return JSON.stringify(patched).replace(/urn:[^"]*?:enterprise/gu, 'urn');
};
console.log('scim-patch 0.8.3');
const emails = [{ type: 'home', value: 'ada@home.example', primary: true }];
const results = [
  apply({ op: 'replace', path: `${enterprise}:department`, value: 'new' }),
  apply({ op: 'replace', value: { [enterprise]: { department: 'new' } } }),
  apply({ op: 'add', path: 'emails', value: emails }),
  apply({ op: 'replace', path: 'username', value: 'grace' }),
];
const work = '{"type":"work","value":"ada@work.example","primary":true}';
const home = '{"type":"home","value":"ada@home.example","primary":true}';
const expected = [
  `{"userName":"ada","emails":[${work}],"urn:2.0:User":{"department":"new"}}`,
  `{"userName":"ada","emails":[${work}],"urn:2.0:User":{"department":"old"},"urn:2.0":{"User":{"department":"new"}}}`,
  `{"userName":"ada","emails":[${work},${home}],"urn:2.0:User":{"department":"old"}}`,
  `{"userName":"ada","emails":[${work}],"urn:2.0:User":{"department":"old"},"username":"grace"}`,
];
process.exit(results.join() === expected.join() ? 0 : 1);
END
node check.js

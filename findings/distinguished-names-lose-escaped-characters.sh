#!/bin/sh
# What two parsers read from distinguished names with escapes. Both take "+" or a space before a digit or a letter from A to F for a
# part of a hexadecimal number: of the department R\+D, @ldapjs/dn leaves "R", and rfc2253 "R" and a carriage return, while R\+S is
# read well. rfc2253 also reads escaped UTF-8 as other letters, and the second attribute of OU=Sales+CN=Ada as one named "+CN".
# Expected: the column on the right (RFC 4514, sections 2.4 and 3: "\" stands before a special character, such as "+" and a space at
# an end of a value, or before two hexadecimal digits of an octet of UTF-8; section 2.2: "+" separates attributes).
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true,"type":"module"}' > package.json
npm install --silent --ignore-scripts --no-audit --no-fund @ldapjs/dn@1.1.0 rfc2253@0.2.0
cat > check.js <<'END'
import ldapjs from '@ldapjs/dn';
import rfc2253 from 'rfc2253';
console.log('@ldapjs/dn 1.1.0, rfc2253 0.2.0, the RFC');
const names = [
  ['OU', String.raw`OU=R\+S,DC=example`, 'R+S'],
  ['OU', String.raw`OU=R\+D,DC=example`, 'R+D'],
  ['CN', String.raw`CN=Group\+1,DC=example`, 'Group+1'],
  ['CN', String.raw`CN=\ Ada,DC=example`, ' Ada'],
  ['CN', String.raw`CN=Lovelace\, Ada,DC=example`, 'Lovelace, Ada'],
  ['CN', String.raw`CN=Lu\C4\8Di\C4\87,DC=example`, 'Lučić'],
  ['CN', 'OU=Sales+CN=Ada,DC=example', 'Ada'],
];
const results = names.map(([attribute, name, right]) => {
  const values = [ldapjs.DN.fromString(name).rdnAt(0).getValue(attribute), rfc2253.parse(name).get(attribute)];
  const result = values.map((value) => `${JSON.stringify(value)}`).join(' ');
  console.log(`${attribute} of ${name}: ${result} ${JSON.stringify(right)}`);
  return result;
});
const expected = [
  '"R+S" "R+S"',
  String.raw`"R" "R\r"`,
  String.raw`"Group\u0001" "Group\u0001"`,
  String.raw`"da" "\nda"`,
  '"Lovelace, Ada" "Lovelace, Ada"',
  `"Lučić" ${JSON.stringify('Lu\u00c4\u008di\u00c4\u0087')}`,
  '"Ada" undefined',
];
process.exit(results.join('\n') === expected.join('\n') ? 0 : 1);
END
node check.js

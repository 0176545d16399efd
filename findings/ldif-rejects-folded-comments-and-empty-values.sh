#!/bin/sh
# The parser ldif of npm rejects valid files of directories: a comment that is folded, as ldapsearch folds the one above each entry
# with a long name, and an attribute without a value, such as an empty description.
# Expected: both are read (RFC 2849: note 2 of the grammar, any non-empty line may be folded, comments too; value-spec, whose
# SAFE-STRING is optional); without the two, the file is read.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true,"type":"module"}' > package.json
npm install --silent --ignore-scripts --no-audit --no-fund ldif@0.5.1
cat > check.js <<'END'
import ldif from 'ldif';
console.log('ldif 0.5.1');
const name = 'uid=ada.lovelace,ou=people,ou=department of analytical engines,dc=example,dc=com';
const entry = [`dn: ${name}`, 'uid: ada.lovelace', 'sn: Lovelace'];
const files = {
  'no comment': ['version: 1', '', ...entry],
  'short comment': ['version: 1', '', '# ada.lovelace, people', ...entry],
  'folded comment': ['version: 1', '', '# ada.lovelace, people, department of analytical engines, example', ' .com', ...entry],
  'folded value': ['version: 1', '', ...entry, 'description: of the analytical', '  engine'],
  'empty value': ['version: 1', '', ...entry, 'description:', 'mail: ada@example.com'],
};
const results = Object.entries(files).map(([title, lines]) => {
  let result;
  try {
    result = JSON.stringify(ldif.parse(`${lines.join('\n')}\n`).entries.map((each) => each.toObject().attributes));
  } catch (error) {
    result = `${error.name}: ${error.message}`;
  }
  console.log(`${title}: ${result}`);
  return result;
});
const read = '[{"uid":"ada.lovelace","sn":"Lovelace"}]';
const expected = [
  read,
  read,
  'SyntaxError: Expected DN, WHITESPACE or entry but " " found.',
  '[{"uid":"ada.lovelace","sn":"Lovelace","description":"of the analytical engine"}]',
  "TypeError: Cannot read properties of null (reading 'type')",
];
process.exit(results.join('\n') === expected.join('\n') ? 0 : 1);
END
node check.js

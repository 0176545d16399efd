#!/bin/sh
# postal-mime joins the quoted lines of a format=flowed message with the marks of all of them: "> Does it > work?". A program that
# shows or removes the quotations of a reply by their marks finds other ones in the middle of the lines.
# Expected: "> Does it work?"; the marks are removed before lines of one depth are joined (RFC 3676 sections 4.2 and 4.5),
# as mailparser, of the same makers, does.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true,"type":"module"}' > package.json
npm install --silent --ignore-scripts --no-audit --no-fund postal-mime@4.0.0 mailparser@3.14.2
cat > check.js <<'END'
import { simpleParser } from 'mailparser';
import PostalMime from 'postal-mime';
console.log('postal-mime 4.0.0, mailparser 3.14.2');
const bodies = [
  ['It works ', 'for me.'],
  ['> Does it ', '> work?'],
  ['> Does it ', '> work?', '>> What ', '>> else?', 'It does.'],
];
const results = [];
for (const lines of bodies) {
  const headers = ['From: ada@example.com', 'Content-Type: text/plain; charset=utf-8; format=flowed'];
  const message = [...headers, '', ...lines, ''].join('\r\n');
  const texts = [(await PostalMime.parse(message)).text, (await simpleParser(message)).text];
  const row = texts.map((text) => JSON.stringify(text.trim()));
  console.log(`${JSON.stringify(lines.join('\n'))}: postal-mime ${row[0]}, mailparser ${row[1]}`);
  results.push(row.join());
}
const expected = [
  '"It works for me.","It works for me."',
  '"> Does it > work?","> Does it work?"',
  String.raw`"> Does it > work?\n>> What >> else?\nIt does.","> Does it work?\n>> What else?\nIt does."`,
];
process.exit(results.join('\n') === expected.join('\n') ? 0 : 1);
END
node check.js

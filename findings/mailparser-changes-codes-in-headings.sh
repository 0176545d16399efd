#!/bin/sh
# For a message that is HTML only, mailparser makes `text` from the HTML: it writes headings in capital letters, and joins the cells
# of a table without a space. Whoever looks in `text` for the code or the link of the message, as tests of a sign-in do, finds
# another code, another link, or one word of the title and the code. With a part in text/plain, `text` is that part.
# Expected: the letters of the message, and something between two cells, as innerText of browsers has them (HTML Standard, section
# 3.2.7: a tab after a cell); `html` has the message as it was sent.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true,"type":"module"}' > package.json
npm install --silent --ignore-scripts --no-audit --no-fund mailparser@3.14.2
cat > check.js <<'END'
import { simpleParser } from 'mailparser';
console.log('mailparser 3.14.2');
const bodies = [
  '<p>Your code: aB3xQ9</p>',
  '<h1>Your code: aB3xQ9</h1>',
  '<h2>https://op.example/verify?code=aB3xQ9</h2>',
  '<h2><a href="https://op.example/verify?code=aB3xQ9">Sign in</a></h2>',
  '<table><tr><th>Code</th><td>aB3xQ9</td></tr></table>',
];
const results = [];
for (const body of bodies) {
  const headers = ['From: op@example.com', 'Content-Type: text/html; charset=utf-8'];
  const { text } = await simpleParser([...headers, '', body, ''].join('\r\n'));
  console.log(`${body}: ${text}`);
  results.push(text);
}
const expected = [
  'Your code: aB3xQ9',
  'YOUR CODE: AB3XQ9',
  'HTTPS://OP.EXAMPLE/VERIFY?CODE=AB3XQ9',
  'SIGN IN [https://op.example/verify?code=aB3xQ9]',
  'CodeaB3xQ9',
];
process.exit(results.join('\n') === expected.join('\n') ? 0 : 1);
END
node check.js

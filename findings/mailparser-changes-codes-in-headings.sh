#!/bin/sh
# For a message without text/plain, mailparser makes the text of its HTML: headings in capital letters, and cells of a table one after
# another without a space. A program that looks for a code or a link of the message in `text`, such as a test of a sign-in, finds
# another code, another link, or the code with the title before it as one word. With text/plain beside it, `text` is that part.
# Expected: the letters of the message, and something between cells, as innerText of browsers has them (HTML Standard, section 3.2.7: a
# tab after a cell); `html` has them.
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

#!/bin/sh
# Two checkers of the DNS records of a mail domain report errors in valid records. spf-parse does so for a mechanism with an IPv6 prefix
# length and no domain, such as mx//64, which is missing in its result, for modifiers that it does not know, and for exp after all,
# of which it says that it is ignored. dmarc-parse does so for a list in fo, such as fo=d:s, and loses that tag.
# Expected: no messages (RFC 7208, sections 5.3 and 5.4: dual-cidr-length; section 6: unknown modifiers are ignored, and modifiers
# may appear anywhere; section 6.2: exp explains the result fail; RFC 7489, section 6.3: fo is a list separated by colons).
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true,"type":"module"}' > package.json
npm install --silent --ignore-scripts --no-audit --no-fund spf-parse@1.0.4 dmarc-parse@1.2.1
cat > check.js <<'END'
import parseDmarc from 'dmarc-parse';
import parseSpf from 'spf-parse';
console.log('spf-parse 1.0.4, dmarc-parse 1.2.1');
const judge = (record, { messages = [] }) => {
  const result = messages.map((each) => each.message ?? each).join(' ');
  console.log(`${record}: ${result || 'no messages'}`);
  return result;
};
const results = [
  ...[
    'v=spf1 mx:mail.example.com/24//64 -all',
    'v=spf1 mx//64 -all',
    'v=spf1 a/24//64 -all',
    'v=spf1 mx exp=reason.example.com -all',
    'v=spf1 mx -all exp=reason.example.com',
    'v=spf1 mx ra=postmaster -all',
  ].map((record) => judge(record, parseSpf(record))),
  ...['v=DMARC1; p=none; fo=d', 'v=DMARC1; p=none; fo=d:s', 'v=DMARC1; p=none; fo=1:d:s'].map((record) =>
    judge(record, parseDmarc(record)),
  ),
];
const ignored = 'One or more mechanisms were found after the "all" mechanism. These mechanisms will be ignored';
const expected = [
  ['', "Unknown standalone term 'mx//64'", "Unknown standalone term 'a/24//64'"],
  ['', ignored, "Unknown standalone term 'ra=postmaster'"],
  ['', "Invalid value for 'fo': 'd:s', must be one of: 0, 1, d, s"],
  ["Invalid value for 'fo': '1:d:s', must be one of: 0, 1, d, s"],
];
process.exit(results.join('\n') === expected.flat().join('\n') ? 0 : 1);
END
node check.js

#!/bin/sh
# Of a site in English, German, and both scripts of Chinese and Serbian, negotiator (that of Express), @hapi/accept and
# accept-language-parser find nothing for zh-Hant-TW, the name that iOS has for the Chinese of Taiwan, and English if that is the
# second wish; the last two find no German for de-CH either. With its option loose, accept-language-parser picks the other
# script, zh-Hans, also for zh-Hant itself.
# Expected: zh-Hant and sr-Latn, as accept-language finds them by cutting the wish from its end (RFC 4647 section 3.4).
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true,"type":"module"}' > package.json
npm install --silent --ignore-scripts --no-audit --no-fund \
  negotiator@1.1.0 @hapi/accept@6.0.3 accept-language-parser@1.5.0 accept-language@3.0.20
cat > check.js <<'END'
import hapi from '@hapi/accept';
import acceptLanguage from 'accept-language';
import parser from 'accept-language-parser';
import Negotiator from 'negotiator';
console.log('negotiator 1.1.0, @hapi/accept 6.0.3, accept-language-parser 1.5.0, accept-language 3.0.20');
const site = ['en', 'de', 'zh-Hans', 'zh-Hant', 'sr-Cyrl', 'sr-Latn'];
acceptLanguage.languages(site);
const pickers = {
  negotiator: (header) => new Negotiator({ headers: { 'accept-language': header } }).language(site),
  '@hapi/accept': (header) => hapi.language(header, site),
  'accept-language-parser': (header) => parser.pick(site, header),
  'the same, loose': (header) => parser.pick(site, header, { loose: true }),
  'accept-language': (header) => acceptLanguage.get(header),
};
const headers = ['zh-Hant', 'zh-Hant-TW', 'zh-Hant-TW, en;q=0.5', 'sr-Latn-RS', 'de-CH', 'de-CH, en;q=0.5'];
const results = headers.map((header) => {
  const picked = Object.entries(pickers).map(([name, pick]) => [name, pick(header) || '-']);
  console.log(`${header}: ${picked.map((each) => each.join(' ')).join(', ')}`);
  return picked.map(([, language]) => language).join(' ');
});
const expected = [
  'zh-Hant zh-Hant zh-Hant zh-Hans zh-Hant',
  '- - - zh-Hans zh-Hant',
  'en en en zh-Hans zh-Hant',
  '- - - sr-Cyrl sr-Latn',
  'de - - de de',
  'de en en de de',
];
process.exit(results.join('\n') === expected.join('\n') ? 0 : 1);
END
node check.js

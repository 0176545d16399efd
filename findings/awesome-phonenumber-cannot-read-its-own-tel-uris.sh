#!/bin/sh
# awesome-phonenumber writes a number as a tel: URI (number.rfc3966) and rejects that URI as "invalid-country-code"; with a region,
# such as that of the form, it reads the digits and says that the number, of the USA, is of that region. +12015550123 is read well.
# Expected: the number of the URI (RFC 3966), as google-libphonenumber, from which it is made, and libphonenumber-js read it.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true,"type":"module"}' > package.json
npm install --silent --ignore-scripts --no-audit --no-fund \
  awesome-phonenumber@7.8.0 google-libphonenumber@3.2.47 libphonenumber-js@1.13.16
cat > check.js <<'END'
import { parsePhoneNumber } from 'awesome-phonenumber';
import google from 'google-libphonenumber';
import parseByJs from 'libphonenumber-js';
const util = google.PhoneNumberUtil.getInstance();
const judge = (text, regionCode) => {
  const { valid, regionCode: region, possibility } = parsePhoneNumber(text, { regionCode });
  const result = [
    valid ? region : possibility,
    util.getRegionCodeForNumber(util.parse(text, regionCode)),
    parseByJs(text, regionCode).country,
  ].join(' ');
  console.log(`${text}, region ${regionCode}: ${result}`);
  return result;
};
console.log('awesome-phonenumber 7.8.0, google-libphonenumber 3.2.47, libphonenumber-js 1.13.16: the region of a number');
const plain = '+12015550123';
const uri = parsePhoneNumber(plain).number.rfc3966;
const results = [judge(plain), judge(plain, 'DE'), judge(uri), judge(uri, 'DE')];
process.exit(results.join() === 'US US US,US US US,invalid-country-code US US,DE US US' ? 0 : 1);
END
node check.js

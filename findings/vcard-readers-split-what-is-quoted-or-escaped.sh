#!/bin/sh
# What four libraries read from a valid vCard 4.0. vcf and vcard-parser end a quoted parameter at the colon in it, so that the rest of
# an address label becomes its first fields and all others are shifted. vcard-parser loses the space of a folded line and cuts a
# tel: URI at its extension, vcf returns texts with their escapes, and ical.js those of semicolons, which vCard 3.0 demands.
# Expected: column vcard4-ts; RFC 6350 sections 3.3 (quoted parameters), 3.2 (only the first space of a folded line goes)
# and 3.4 (semicolons may be escaped in all properties).
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true,"type":"module"}' > package.json
npm install --silent --ignore-scripts --no-audit --no-fund vcf@2.1.2 vcard-parser@1.0.0 ical.js@2.2.1 vcard4-ts@0.4.1
cat > check.js <<'END'
import ical from 'ical.js';
import { parseVCards } from 'vcard4-ts';
import vcardParser from 'vcard-parser';
import vcf from 'vcf';
console.log('vcf 2.1.2, vcard-parser 1.0.0, ical.js 2.2.1, vcard4-ts 0.4.1');
const card = [
  'BEGIN:VCARD',
  'VERSION:4.0',
  'FN:Ada Lovelace',
  'ADR;LABEL="c/o: Bob; rear building":;;1 Main St;Town;;12345;DE',
  'TEL;VALUE=uri:tel:+12015550123;ext=5',
  'NOTE:one\\, two\\; ',
  '  three',
  'END:VCARD',
  '',
].join('\r\n');
const byVcf = vcf.parse(card)[0];
const byParser = vcardParser.parse(card);
const byIcal = new ical.Component(ical.parse(card));
const [byTs] = parseVCards(card).vCards;
const { streetAddress, locality, postalCode } = byTs.ADR[0].value;
const rows = {
  'street, town, code': [
    byVcf.get('adr').valueOf().split(';').slice(2, 6).join(';'),
    byParser.adr[0].value.slice(2, 6).join(';'),
    byIcal.getFirstPropertyValue('adr').slice(2, 6).join(';'),
    [streetAddress, locality, '', postalCode].join(';'),
  ],
  telephone: [
    byVcf.get('tel').valueOf(),
    byParser.tel[0].value,
    byIcal.getFirstPropertyValue('tel'),
    byTs.TEL[0].value,
  ],
  note: [
    byVcf.get('note').valueOf(),
    byParser.note[0].value,
    byIcal.getFirstPropertyValue('note'),
    byTs.NOTE[0].value,
  ],
};
for (const [title, row] of Object.entries(rows)) console.log(title, JSON.stringify(row));
const address = '1 Main St;Town;;12345';
const tel = 'tel:+12015550123;ext=5';
const expected = [
  [';1 Main St;Town;', ';1 Main St;Town;', address, address],
  [tel, ['tel:+12015550123', 'ext=5'], tel, tel],
  ['one\\, two\\;  three', 'one, two; three', 'one, two\\;  three', 'one, two;  three'],
];
process.exit(JSON.stringify(Object.values(rows)) === JSON.stringify(expected) ? 0 : 1);
END
node check.js

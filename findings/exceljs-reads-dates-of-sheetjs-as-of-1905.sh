#!/bin/sh
# SheetJS writes dates with cellDates as ISO 8601 (cells with t="d"), and exceljs takes the year of such a cell for a number of
# days since 1900: 1992-05-17 becomes 1905-06-14, without an error. Dates that are written as numbers are read well.
# Expected: the date (ECMA-376, part 1, section 18.18.11, the type d of a cell).
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true,"type":"module"}' > package.json
npm install --silent --ignore-scripts --no-audit --no-fund xlsx@0.18.5 exceljs@4.4.0 read-excel-file@9.3.17
cat > check.js <<'END'
import exceljs from 'exceljs';
import { readSheet } from 'read-excel-file/node';
import sheetjs from 'xlsx';
const sheet = sheetjs.utils.aoa_to_sheet([['born'], [new Date('1992-05-17')]], { cellDates: true });
const day = (date) => date.toISOString().slice(0, 10);
const judge = async (cellDates) => {
  const file = sheetjs.write({ SheetNames: ['People'], Sheets: { People: sheet } }, { type: 'buffer', cellDates });
  const workbook = await new exceljs.Workbook().xlsx.load(file);
  const result = [
    day(workbook.worksheets[0].getCell('A2').value),
    day((await readSheet(file))[1][0]),
    day(sheetjs.read(file, { cellDates: true }).Sheets.People.A2.v),
  ].join(' ');
  console.log(`cellDates ${cellDates}, exceljs, read-excel-file, xlsx: ${result}`);
  return result;
};
console.log('xlsx 0.18.5, exceljs 4.4.0, read-excel-file 9.3.17');
const results = [await judge(true), await judge(false)];
const expected = ['1905-06-14 1992-05-17 1992-05-17', '1992-05-17 1992-05-17 1992-05-17'];
process.exit(results.join() === expected.join() ? 0 : 1);
END
TZ=UTC node check.js

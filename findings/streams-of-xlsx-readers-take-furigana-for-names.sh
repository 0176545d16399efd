#!/bin/sh
# Excel keeps the reading of a Japanese name (furigana), as it was typed, beside the name. The stream of exceljs returns the last piece
# of this reading instead of the name, and excel-row-stream all of it; of a cell with its own text in two styles, both return the
# last piece. No error says so; workbook.xlsx of the same exceljs reads the names.
# Expected: the names (ECMA-376, part 1, section 18.4.6: rPh is a hint how to pronounce the text of the item; sections 18.4.8 and
# 18.3.1.53: the text of an item, or of a cell, may consist of several runs).
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true,"type":"module"}' > package.json
npm install --silent --ignore-scripts --no-audit --no-fund exceljs@4.4.0 excel-row-stream@1.4.2 jszip@3.10.1
cat > check.js <<'END'
import { createReadStream, writeFileSync } from 'node:fs';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import readRows from 'excel-row-stream';
import exceljs from 'exceljs';
import JSZip from 'jszip';
console.log('exceljs 4.4.0, its stream, excel-row-stream 1.4.2');
const formats = 'http://schemas.openxmlformats.org';
const office = `${formats}/officeDocument/2006/relationships`;
const main = `xmlns="${formats}/spreadsheetml/2006/main"`;
const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const relate = (...relations) =>
  `<Relationships xmlns="${formats}/package/2006/relationships">${relations
    .map(([name, target], index) => `<Relationship Id="r${index}" Type="${office}/${name}" Target="${target}"/>`)
    .join('')}</Relationships>`;
const texts = [
  '<t>山田花子</t>',
  '<t>山田花子</t><rPh sb="0" eb="2"><t>ヤマダ</t></rPh><rPh sb="2" eb="4"><t>ハナコ</t></rPh>',
  '<r><t>山田</t></r><r><rPr><b/></rPr><t>花子</t></r>',
];
const cells = [
  ...texts.map((_, index) => `t="s"><v>${index}</v>`),
  't="inlineStr"><is><r><t>山田</t></r><r><rPr><b/></rPr><t>花子</t></r></is>',
];
const rows = cells.map((cell, index) => `<row r="${index + 1}"><c r="A${index + 1}" ${cell}</c></row>`);
const parts = {
  '[Content_Types].xml': `<Types xmlns="${formats}/package/2006/content-types">
    <Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
    <Override PartName="/xl/workbook.xml" ContentType="${type}.sheet.main+xml"/>
    <Override PartName="/xl/worksheets/sheet1.xml" ContentType="${type}.worksheet+xml"/>
    <Override PartName="/xl/sharedStrings.xml" ContentType="${type}.sharedStrings+xml"/></Types>`,
  '_rels/.rels': relate(['officeDocument', 'xl/workbook.xml']),
  'xl/workbook.xml': `<workbook ${main} xmlns:r="${office}"><sheets><sheet name="A" sheetId="1" r:id="r0"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': relate(['worksheet', 'worksheets/sheet1.xml'], ['sharedStrings', 'sharedStrings.xml']),
  'xl/sharedStrings.xml': `<sst ${main}>${texts.map((text) => `<si>${text}</si>`).join('')}</sst>`,
  'xl/worksheets/sheet1.xml': `<worksheet ${main}><sheetData>${rows.join('')}</sheetData></worksheet>`,
};
const zip = new JSZip();
for (const [name, text] of Object.entries(parts)) zip.file(name, text);
writeFileSync('people.xlsx', await zip.generateAsync({ type: 'nodebuffer' }));
const toText = (value) => value.richText?.map(({ text }) => text).join('') ?? value;
const workbook = await new exceljs.Workbook().xlsx.readFile('people.xlsx');
const byWorkbook = cells.map((_, index) => toText(workbook.worksheets[0].getCell(index + 1, 1).value));
const byStream = [];
for await (const sheet of new exceljs.stream.xlsx.WorkbookReader('people.xlsx')) {
  for await (const row of sheet) byStream.push(toText(row.getCell(1).value));
}
const byRowStream = [];
const keep = (row, _, done) => done(void byRowStream.push(row.values[0]));
const sink = new Writable({ objectMode: true, write: keep });
await pipeline(createReadStream('people.xlsx'), readRows.default({ matchSheet: /A/ }), sink);
const titles = ['a name', 'with furigana', 'in two styles', 'in two styles, in the cell'];
const results = titles.map((title, index) => {
  const result = [byWorkbook, byStream, byRowStream].map((names) => names[index]).join(' ');
  console.log(`${title}: ${result}`);
  return result;
});
const expected = [
  '山田花子 山田花子 山田花子',
  '山田花子 ハナコ ヤマダハナコ',
  '山田花子 山田花子 花子',
  '山田花子 花子 花子',
];
process.exit(results.join('\n') === expected.join('\n') ? 0 : 1);
END
node check.js

#!/bin/sh
# A workbook whose dates count from 1904, as older versions of Excel for the Mac made them, says so with date1904="1". Once LibreOffice
# has saved it, it says date1904="true", which exceljs and read-excel-file do not know: all dates become four years and a day
# earlier, without an error. Both read the workbook well before that, and LibreOffice before and after.
# Expected: the same date (ECMA-376, part 1, sections 18.2.28 and 18.17.4.1; XML Schema, part 2, section 3.2.2.1: "true" and "1" are
# one value of a boolean).
# Needs Debian 12's libreoffice-calc, and npm.
set -eu
fail() { echo "$*" >&2; exit 1; }
version=$(dpkg-query -W -f '${Version}' libreoffice-calc 2>/dev/null) || fail 'libreoffice-calc is not installed'
case "$version" in 4:7.4.7*) echo "libreoffice-calc $version" ;; *) fail "unexpected: libreoffice-calc $version" ;; esac
echo 'exceljs 4.4.0, read-excel-file 9.3.17'
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 1' INT TERM
cd "$dir"
echo '{"private":true,"type":"module"}' > package.json
npm install --silent --ignore-scripts --no-audit --no-fund exceljs@4.4.0 read-excel-file@9.3.17
cat > write.js <<'END'
import exceljs from 'exceljs';
const workbook = new exceljs.Workbook();
workbook.properties.date1904 = true;
const cell = workbook.addWorksheet('People').getCell('A1');
cell.value = new Date('1992-05-17');
cell.numFmt = 'yyyy-mm-dd';
await workbook.xlsx.writeFile('written.xlsx');
END
cat > read.js <<'END'
import exceljs from 'exceljs';
import { readSheet } from 'read-excel-file/node';
const file = process.argv[2];
const workbook = await new exceljs.Workbook().xlsx.readFile(file);
const dates = { exceljs: workbook.worksheets[0].getCell('A1').value, 'read-excel-file': (await readSheet(file))[0][0] };
for (const [name, date] of Object.entries(dates)) console.log(`${file}, ${name}: ${date.toISOString().slice(0, 10)}`);
END
convert() { soffice "-env:UserInstallation=file://$dir/profile" --headless --convert-to "$@" > log 2>&1 || fail "$(cat log)"; }
export TZ=UTC
node write.js
convert xlsx --outdir saved written.xlsx
mv saved/written.xlsx saved.xlsx
for name in written saved; do
  convert csv "$name.xlsx"
  python3 - "$name.xlsx" <<'END'
import re, sys, zipfile
print(sys.argv[1], re.search(r'date1904="\w+"', zipfile.ZipFile(sys.argv[1]).read('xl/workbook.xml').decode()).group())
END
  echo "$name.xlsx, LibreOffice: $(cat "$name.csv")"
  node read.js "$name.xlsx"
done > seen
cat seen
cat > expected <<'END'
written.xlsx date1904="1"
written.xlsx, LibreOffice: 1992-05-17
written.xlsx, exceljs: 1992-05-17
written.xlsx, read-excel-file: 1992-05-17
saved.xlsx date1904="true"
saved.xlsx, LibreOffice: 1992-05-17
saved.xlsx, exceljs: 1988-05-16
saved.xlsx, read-excel-file: 1988-05-16
END
diff expected seen && echo 'as expected'

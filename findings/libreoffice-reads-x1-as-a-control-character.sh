#!/bin/sh
# ECMA-376 (part 1, 22.9.2.19) escapes a character of a text as _xHHHH_, with four digits. LibreOffice also reads _x1_ to
# _x1f_ with one or two digits as control characters, so that a text such as "max_x1_" of a spreadsheet loses its end.
# Writers that escape only the four digits of the standard do not help; _x005F_x1_ does.
# Needs Debian 12's libreoffice-calc.
set -eu
fail() { echo "$*" >&2; exit 1; }
version=$(dpkg-query -W -f '${Version}' libreoffice-calc 2>/dev/null) || fail 'libreoffice-calc is not installed'
case "$version" in 4:7.4.7*) echo "libreoffice-calc $version" ;; *) fail "unexpected: libreoffice-calc $version" ;; esac
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 1' INT TERM
cd "$dir"
python3 - <<'END'
import zipfile
texts = ['max_x1_', 'max_x1f_', 'max_x20_', 'max_x0001', 'max_x005F_x1_']
head = '<?xml version="1.0" encoding="UTF-8"?>'
main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
package = 'http://schemas.openxmlformats.org/package/2006'
kind = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
relation = f'{head}<Relationships xmlns="{package}/relationships"><Relationship Id="r1" Type="{office}/%s" Target="%s"/></Relationships>'
rows = ''.join(f'<row r="{n}"><c r="A{n}" t="inlineStr"><is><t>{text}</t></is></c></row>' for n, text in enumerate(texts, 1))
parts = {
    '[Content_Types].xml': f'{head}<Types xmlns="{package}/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{kind}.sheet.main+xml"/>'
        f'<Override PartName="/xl/sheet.xml" ContentType="{kind}.worksheet+xml"/></Types>',
    '_rels/.rels': relation % ('officeDocument', 'xl/workbook.xml'),
    'xl/workbook.xml': f'{head}<workbook {main} xmlns:r="{office}"><sheets><sheet name="A" sheetId="1" r:id="r1"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels': relation % ('worksheet', 'sheet.xml'),
    'xl/sheet.xml': f'{head}<worksheet {main}><sheetData>{rows}</sheetData></worksheet>',
}
with zipfile.ZipFile('texts.xlsx', 'w') as file:
    for name, content in parts.items():
        file.writestr(name, content)
END
soffice "-env:UserInstallation=file://$dir/profile" --headless --convert-to csv texts.xlsx > log 2>&1 || fail "$(cat log)"
python3 -c "print(*(ascii(line) for line in open('texts.csv', newline='').read().split('\n')[:5]), sep='\n')" > seen
cat seen
cat > expected <<'END'
'max\x01'
'max\x1f'
'max_x20_'
'max_x0001'
'max_x1_'
END
diff expected seen && echo 'as expected'

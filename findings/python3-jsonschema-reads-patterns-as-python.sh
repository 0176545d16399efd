#!/bin/sh
# python3-jsonschema accepts "2024\n" and Arabic digits by the pattern ^\d{4}$: `$` also matches before a last line feed, \d any digit of Unicode.
# Expected: patterns of ECMA-262 (JSON Schema, section 6.4), by which both are rejected; ^[0-9]{4}(?![\s\S]) means the same in both.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
chmod 755 .
apt-get download -qq python3-jsonschema=4.10.3-1 python3-attr=22.2.0-1 python3-pyrsistent=0.18.1-1+b3 2> /dev/null
for package in *.deb; do dpkg -x "$package" .; done
cat > check.py <<'END'
from importlib.metadata import version
from jsonschema import Draft202012Validator
print('python3-jsonschema', version('jsonschema'))
results = []
for pattern in (r'^\d{4}$', r'^[0-9]{4}(?![\s\S])'):
    for text in ('2024', '2024\n', '\u0662\u0660\u0662\u0664'):
        results.append(Draft202012Validator({'type': 'string', 'pattern': pattern}).is_valid(text))
        print(pattern, ascii(text), results[-1])
raise SystemExit(results != [True, True, True, True, False, False])
END
PYTHONPATH=usr/lib/python3/dist-packages /usr/bin/python3 check.py
cat > check.js <<'END'
const results = ['2024', '2024\n', '\u0662\u0660\u0662\u0664'].map((text) => /^\d{4}$/u.test(text));
console.log('^\\d{4}$ in JavaScript', results.join());
process.exit(results.join() === 'true,false,false' ? 0 : 1);
END
node check.js

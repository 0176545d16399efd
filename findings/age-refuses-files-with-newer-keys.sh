#!/bin/sh
# The age of Debian 12 (1.1.1) rejects an identity file as a whole if one of its keys is a post-quantum one, also when
# another key in it opens the file: a key file to which such a key was added opens no older file any more. The library
# age-encryption of npm reads the same keys one by one, and opens the file.
# Needs Debian 12's age, and npm.
set -eu
fail() { echo "$*" >&2; exit 1; }
version=$(dpkg-query -W -f '${Version}' age 2>/dev/null) || fail 'age is not installed'
case "$version" in 1.1.1*) echo "age $version, age-encryption 0.3.1" ;; *) fail "unexpected: age $version" ;; esac
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 1' INT TERM
cd "$dir"
npm install --silent --no-audit --no-fund --ignore-scripts age-encryption@0.3.1 >/dev/null
cat > make.mjs <<'END'
import { writeFileSync } from 'node:fs';
import * as age from 'age-encryption';
const classic = await age.generateX25519Identity();
const hybrid = await age.generateHybridIdentity();
const encrypter = new age.Encrypter();
encrypter.addRecipient(await age.identityToRecipient(classic));
const file = await encrypter.encrypt('text');
writeFileSync('file.age', file);
writeFileSync('classic.txt', `${classic}\n`);
writeFileSync('both.txt', `${classic}\n${hybrid}\n`);
const decrypter = new age.Decrypter();
for (const identity of [classic, hybrid]) decrypter.addIdentity(identity);
console.log('npm with both keys:', await decrypter.decrypt(file, 'text'));
END
{
  node make.mjs
  for keys in classic both; do
    printf '%s' "age with $keys.txt: "
    age -d -i $keys.txt file.age 2> error || sed -n 's/.*: \(error at line .*\)/\1/p' error | tr -d '\n'
    echo
  done
} > seen
cat seen
cat > expected <<'END'
npm with both keys: text
age with classic.txt: text
age with both.txt: error at line 2: unknown identity type
END
diff expected seen && echo 'as expected'

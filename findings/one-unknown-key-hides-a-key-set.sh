#!/bin/sh
# A key set with a key of a type that a library does not know: Authlib, python-jose and go-jose find no key in it any more, so that
# all tokens are rejected from the hour in which an issuer adds one, here of ML-DSA or X25519, before the RSA key of the tokens.
# Expected: unknown keys are ignored (RFC 7517 section 5), as PyJWT, ruby-jwt, json-jwt (Ruby) and jose do.
# Needs Debian 12's python3-authlib, python3-jose, python3-jwt, ruby-jwt, ruby-json-jwt, golang-gopkg-square-go-jose.v2-dev
# and golang-go, and npm.
set -eu
fail() { echo "$*" >&2; exit 1; }
for package in python3-authlib:1.2.0 python3-jose:3.3.0 python3-jwt:2.6.0 ruby-jwt:2.5.0 ruby-json-jwt:1.14.0 \
  golang-gopkg-square-go-jose.v2-dev:2.6.0 golang-go:2:1.19; do
  version=$(dpkg-query -W -f '${Version}' "${package%%:*}" 2>/dev/null) || fail "${package%%:*} is not installed"
  case "$version" in "${package#*:}"*) echo "${package%%:*} $version" ;; *) fail "unexpected: ${package%%:*} $version" ;; esac
done
echo 'jose 6.2.18'
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 1' INT TERM
cd "$dir"
echo '{"private":true,"type":"module"}' > package.json
npm install --silent --ignore-scripts --no-audit --no-fund jose@6.2.18
cat > make.js <<'END'
import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { SignJWT } from 'jose';
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const jwk = (key, more) => ({ ...key.export({ format: 'jwk' }), ...more });
const added = {
  none: [],
  'ML-DSA': [{ kty: 'AKP', alg: 'ML-DSA-44', kid: 'next', use: 'sig', pub: Buffer.alloc(1312, 7).toString('base64url') }],
  X25519: [jwk(generateKeyPairSync('x25519').publicKey, { kid: 'next', use: 'enc', alg: 'ECDH-ES' })],
};
for (const [name, keys] of Object.entries(added)) {
  const signing = jwk(rsa.publicKey, { kid: 'rsa', use: 'sig', alg: 'RS256' });
  writeFileSync(name, JSON.stringify({ keys: [...keys, signing] }));
}
const header = { alg: 'RS256', kid: 'rsa' };
writeFileSync('token', await new SignJWT({ sub: 'ada' }).setProtectedHeader(header).sign(rsa.privateKey));
END
node make.js
cat > check.js <<'END'
import { readFileSync } from 'node:fs';
import { createLocalJWKSet, jwtVerify } from 'jose';
const token = readFileSync('token', 'utf8');
for (const name of ['none', 'ML-DSA', 'X25519']) {
  const { payload } = await jwtVerify(token, createLocalJWKSet(JSON.parse(readFileSync(name, 'utf8'))));
  console.log(`jose, added ${name}: ${payload.sub}`);
}
END
cat > check.py <<'END'
import json
import jwt
from authlib.jose import JsonWebKey, JsonWebToken
from jose import jwt as python_jose
token = open('token').read()
def by_pyjwt(keys):
    key = next(key for key in jwt.PyJWKSet.from_dict(keys).keys if key.key_id == 'rsa')
    return jwt.decode(token, key.key, algorithms=['RS256'])
libraries = {
    'PyJWT': by_pyjwt,
    'python-jose': lambda keys: python_jose.decode(token, keys, algorithms=['RS256']),
    'Authlib': lambda keys: JsonWebToken(['RS256']).decode(token, JsonWebKey.import_key_set(keys)),
}
for library, verify in libraries.items():
    for name in ('none', 'ML-DSA', 'X25519'):
        try:
            result = verify(json.load(open(name)))['sub']
        except Exception as error:
            result = f'{type(error).__name__} {error}'
        print(f'{library}, added {name}: {result}')
END
cat > check.rb <<'END'
require 'json'
require 'json/jwt'
require 'jwt'
token = File.read('token')
%w[none ML-DSA X25519].each do |name|
  text = File.read(name)
  keys = JSON.parse(text, symbolize_names: true)
  puts "ruby-jwt, added #{name}: #{JWT.decode(token, nil, true, { algorithms: ['RS256'], jwks: keys })[0]['sub']}"
  puts "json-jwt, added #{name}: #{JSON::JWT.decode(token, JSON::JWK::Set.new(JSON.parse(text)))['sub']}"
end
END
cat > check.go <<'END'
package main

import (
	"encoding/json"
	"fmt"
	"os"

	"gopkg.in/square/go-jose.v2"
)

func main() {
	for _, name := range []string{"none", "ML-DSA", "X25519"} {
		var keys jose.JSONWebKeySet
		text, _ := os.ReadFile(name)
		err := json.Unmarshal(text, &keys)
		fmt.Printf("go-jose, added %s: %d key, %v\n", name, len(keys.Key("rsa")), err)
	}
}
END
{
  node check.js
  /usr/bin/python3 check.py
  /usr/bin/ruby check.rb | sort
  GO111MODULE=off GOPATH=/usr/share/gocode GOCACHE="$dir/cache" go run check.go
} > seen
cat seen
cat > expected <<'END'
jose, added none: ada
jose, added ML-DSA: ada
jose, added X25519: ada
PyJWT, added none: ada
PyJWT, added ML-DSA: ada
PyJWT, added X25519: ada
python-jose, added none: ada
python-jose, added ML-DSA: JWKError Incorrect key type. Expected: 'RSA', Received: AKP
python-jose, added X25519: JWKError Incorrect key type. Expected: 'RSA', Received: OKP
Authlib, added none: ada
Authlib, added ML-DSA: KeyError 'AKP'
Authlib, added X25519: ada
json-jwt, added ML-DSA: ada
json-jwt, added X25519: ada
json-jwt, added none: ada
ruby-jwt, added ML-DSA: ada
ruby-jwt, added X25519: ada
ruby-jwt, added none: ada
go-jose, added none: 1 key, <nil>
go-jose, added ML-DSA: 0 key, square/go-jose: unknown json web key type 'AKP'
go-jose, added X25519: 0 key, square/go-jose: unknown curve X25519'
END
diff expected seen && echo 'as expected'

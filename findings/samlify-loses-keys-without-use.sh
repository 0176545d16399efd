#!/bin/sh
# samlify finds no signing certificate in the metadata of an identity provider whose keys have no use, unless there is only one key:
# none of two keys, as they are published while one replaces the other, and none beside a key of use="encryption". If only the new
# key has no use, it is missing, so that what it signs cannot be verified from the day of the change.
# Expected: what passport-saml-metadata reads; use is optional (SAML 2.0 Metadata, section 2.4.1.1), and a key without one serves
# for both uses (SAML 2.0 Errata, E62). X509Data may have several certificates (XML Signature 1.1, section 4.5.4).
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true,"type":"module"}' > package.json
npm install --silent --ignore-scripts --no-audit --no-fund samlify@2.13.1 passport-saml-metadata@5.0.0
cat > check.js <<'END'
import { MetadataReader } from 'passport-saml-metadata';
import { IdentityProvider } from 'samlify';
console.log('samlify 2.13.1, passport-saml-metadata 5.0.0: the signing certificates');
const key = (use, ...certificates) => {
  const texts = certificates.map((text) => `<ds:X509Certificate>${text}</ds:X509Certificate>`).join('');
  return `<KeyDescriptor${use && ` use="${use}"`}><ds:KeyInfo><ds:X509Data>${texts}</ds:X509Data></ds:KeyInfo></KeyDescriptor>`;
};
const saml = 'urn:oasis:names:tc:SAML:2.0';
const location = `Binding="${saml}:bindings:HTTP-Redirect" Location="https://idp.example/sso"`;
const describe = (keys) =>
  `<EntityDescriptor xmlns="${saml}:metadata" xmlns:ds="http://www.w3.org/2000/09/xmldsig#" entityID="https://idp.example/">
    <IDPSSODescriptor protocolSupportEnumeration="${saml}:protocol">${keys.join('')}<SingleSignOnService ${location}/></IDPSSODescriptor>
  </EntityDescriptor>`;
const rows = {
  'one for signing': [key('signing', 'AAAA')],
  'two for signing': [key('signing', 'AAAA'), key('signing', 'BBBB')],
  'one without use': [key('', 'AAAA')],
  'two without use': [key('', 'AAAA'), key('', 'BBBB')],
  'one without use, one for encryption': [key('', 'AAAA'), key('encryption', 'BBBB')],
  'one for signing, one without use': [key('signing', 'AAAA'), key('', 'BBBB')],
  'one without use, of two certificates': [key('', 'AAAA', 'BBBB')],
};
const results = Object.entries(rows).map(([title, keys]) => {
  const metadata = describe(keys);
  const found = IdentityProvider({ metadata }).entityMeta.getX509Certificate('signing');
  const result = `${JSON.stringify(found)} ${JSON.stringify(new MetadataReader(metadata).signingCerts)}`;
  console.log(`${title}: ${result}`);
  return result;
});
const expected = [
  '"AAAA" ["AAAA"]',
  '["AAAA","BBBB"] ["AAAA","BBBB"]',
  '"AAAA" ["AAAA"]',
  'null ["AAAA","BBBB"]',
  'null ["AAAA"]',
  '"AAAA" ["AAAA","BBBB"]',
  'null ["AAAA","BBBB"]',
];
process.exit(results.join() === expected.join() ? 0 : 1);
END
node check.js

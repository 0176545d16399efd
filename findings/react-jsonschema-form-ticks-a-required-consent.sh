#!/bin/sh
# A checkbox whose schema is {"type": "boolean", "const": true}, the usual form of a consent, is shown ticked before anybody has seen it.
# Expected: unticked, as with {"enum": [true]}, which accepts the same value; const constrains an answer and is no default.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true,"type":"module"}' > package.json
npm install --silent --ignore-scripts --no-audit --no-fund react@19.3.1 react-dom@19.3.1 \
  @rjsf/core@6.11.1 @rjsf/utils@6.11.1 @rjsf/validator-ajv8@6.11.1
cat > check.js <<'END'
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import core from '@rjsf/core';
import ajv8 from '@rjsf/validator-ajv8';
const show = (consent) => {
  const schema = { type: 'object', required: ['consent'], properties: { consent: { type: 'boolean', ...consent } } };
  const props = { schema, validator: ajv8.default ?? ajv8 };
  const [input] = renderToStaticMarkup(createElement(core.default ?? core, props)).match(/<input[^>]*>/);
  console.log(JSON.stringify(consent), input);
  return / checked/.test(input);
};
console.log('@rjsf/core 6.11.1, server-rendered without data');
const [byConst, byEnum] = [show({ const: true }), show({ enum: [true] })];
process.exit(byConst && !byEnum ? 0 : 1);
END
node check.js

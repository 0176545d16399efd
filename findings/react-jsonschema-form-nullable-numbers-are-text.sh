#!/bin/sh
# The input of {"type": "number"} is type=number, that of {"type": ["number", "null"]} type=text, with min and max, which text inputs ignore.
# Expected: the same input, as strings, dates and booleans have with and without null; the value becomes a number in both.
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
const show = (answer) => {
  const schema = { type: 'object', properties: { answer } };
  const props = { schema, validator: ajv8.default ?? ajv8 };
  const [input] = renderToStaticMarkup(createElement(core.default ?? core, props)).match(/<input[^>]*>/);
  console.log(JSON.stringify(answer), input);
  return /type="(\w+)"/.exec(input)[1];
};
console.log('@rjsf/core 6.11.1');
const types = [
  show({ type: 'number', minimum: 0, maximum: 9 }),
  show({ type: ['number', 'null'], minimum: 0, maximum: 9 }),
  show({ type: 'string', format: 'date' }),
  show({ type: ['string', 'null'], format: 'date' }),
  show({ type: 'boolean' }),
  show({ type: ['boolean', 'null'] }),
];
process.exit(types.join() === 'number,text,date,date,checkbox,checkbox' ? 0 : 1);
END
node check.js

/** Readers of the exported schema that are no packages of the project: renderers of React, and Debian's python3-jsonschema. */
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { exportSchema, field, JUDGED_FORMS } from '../../../../test/support/answer-rules.ts';

const run = promisify(execFile);
const OPTIONS = { options: ['red', 'green'] } as const;

/** A field of each kind, required and optional. */
const FIELDS = [true, false].flatMap((is_required) => {
  const mark = is_required ? 'required' : 'optional';
  return [
    field('checkbox', { label: `${mark}-checkbox`, is_required }),
    field('text', { label: `${mark}-text`, is_required }),
    field('text', { label: `${mark}-option`, is_required, ...OPTIONS }),
    field('text', { label: `${mark}-options`, is_required, ...OPTIONS, multiple: true }),
    field('number', { label: `${mark}-number`, is_required, min: 0 }),
    field('email', { label: `${mark}-email`, is_required }),
    field('date', { label: `${mark}-date`, is_required, min: '2026-01-01' }),
  ];
});

const PACKAGES = [
  ...[
    'react@19.3.1',
    'react-dom@19.3.1',
    '@rjsf/core@6.11.1',
    '@rjsf/utils@6.11.1',
    '@rjsf/validator-ajv8@6.11.1',
  ],
  ...['@jsonforms/core@3.8.0', '@jsonforms/react@3.8.0', '@jsonforms/vanilla-renderers@3.8.0'],
];

/** Prints the HTML that each renderer makes of the schema without answers. */
const RENDER = `
import { readFileSync } from 'node:fs';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import rjsf from '@rjsf/core';
import rjsfValidator from '@rjsf/validator-ajv8';
import { JsonForms } from '@jsonforms/react';
import { vanillaCells as cells, vanillaRenderers as renderers } from '@jsonforms/vanilla-renderers';
const schema = JSON.parse(readFileSync('schema.json', 'utf8'));
const validator = rjsfValidator.default ?? rjsfValidator;
console.log(JSON.stringify({
  rjsf: renderToStaticMarkup(createElement(rjsf.default ?? rjsf, { schema, validator })),
  jsonForms: renderToStaticMarkup(createElement(JsonForms, { schema, data: {}, renderers, cells })),
}));`;

describe('renderers of the schema of a form', () => {
  const directory = mkdtempSync(join(tmpdir(), 'schema-readers-'));
  const html = { rjsf: '', jsonForms: '' };
  before(async () => {
    writeFileSync(join(directory, 'package.json'), '{"private":true,"type":"module"}');
    writeFileSync(join(directory, 'schema.json'), exportSchema(FIELDS, { draft: '7' }));
    writeFileSync(join(directory, 'render.js'), RENDER);
    const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    await run('npm', ['install', ...options, ...PACKAGES], { cwd: directory });
    Object.assign(html, JSON.parse((await run(process.execPath, ['render.js'], { cwd: directory })).stdout));
  });
  after(() => rmSync(directory, { recursive: true }));

  const inputs = (text: string) =>
    [...text.matchAll(/<(?:input|select|textarea)\b[^>]*>/g)].map(([tag]) => tag);

  test('react-jsonschema-form shows one input for each field, with nothing ticked', () => {
    const names = inputs(html.rjsf).map((tag) => /name="root_([^"]*)"/.exec(tag)?.[1]);
    assert.deepEqual(
      names,
      FIELDS.map(({ label }) => label),
    );
    assert.deepEqual(
      inputs(html.rjsf)
        .filter((tag) => tag.includes('checkbox'))
        .map((tag) => /\schecked/.test(tag)),
      [false, false],
    );
    assert.doesNotMatch(html.rjsf, /Unsupported field|Unknown field/);
  });

  test('JSON Forms shows a control for each field, with nothing ticked', () => {
    for (const { label } of FIELDS.filter(({ multiple }) => !multiple))
      assert.ok(
        inputs(html.jsonForms).some((tag) => tag.includes(`#/properties/${label}`)),
        label,
      );
    assert.doesNotMatch(html.jsonForms, /No applicable renderer|\schecked/);
  });
});

/** Prints the answers that each class accepts, of forms by name. */
const PYTHON = `
import json, sys
from jsonschema import Draft7Validator, Draft202012Validator, FormatChecker
forms = json.load(sys.stdin)
def judge(cls, schema, texts):
    cls.check_schema(schema)
    return [cls(schema, format_checker=FormatChecker()).is_valid(json.loads(text)) for text in texts]
print(json.dumps([[judge(Draft202012Validator, json.loads(f['schema']), f['texts']),
    judge(Draft7Validator, json.loads(f['draft7']), f['texts'])] for f in forms]))`;
const PROGRAM = '/usr/bin/python3';
const hasJsonschema = spawnSync(PROGRAM, ['-c', 'import jsonschema']).status === 0;

test('python3-jsonschema and the server accept the same answers', {
  skip: hasJsonschema ? false : `python3-jsonschema is not installed for ${PROGRAM}`,
}, () => {
  const forms = JUDGED_FORMS.map(({ fields, answers }) => ({
    schema: exportSchema(fields),
    draft7: exportSchema(fields, { draft: '7' }),
    texts: answers.map(([text]) => text),
  }));
  const { stdout, stderr } = spawnSync(PROGRAM, ['-c', PYTHON], {
    input: JSON.stringify(forms),
    encoding: 'utf8',
  });
  assert.ok(stdout, stderr);
  const results: boolean[][][] = JSON.parse(stdout);
  for (const [index, { name, answers }] of JUDGED_FORMS.entries())
    for (const accepted of results[index]!)
      assert.deepEqual(
        accepted,
        answers.map(([, isAccepted]) => isAccepted),
        name,
      );
});

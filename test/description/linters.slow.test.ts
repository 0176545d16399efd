/** openapi.json and the recommended rules of linters. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import spectralCore, { type RulesetDefinition } from '@stoplight/spectral-core';
import spectralRulesets from '@stoplight/spectral-rulesets';

/** Without its types, which `tsc` would read for a second of the processor. */
const { createConfig, lintFromString } = await import('@redocly/openapi-core' as string);
const file = new URL('../../openapi.json', import.meta.url);
const source = readFileSync(file, 'utf8');

/** Errors that all operations have are in `x-common-responses`, which the rules do not know. */
const OFF = { 'operation-4xx-response': 'off', 'no-unused-components': 'off' } as const;

/** Scopes of HTTP authentication are valid since OpenAPI 3.1 (4.8.30); the rule is that of 3.0. */
const OUTDATED = 'oas3-operation-security-defined';

describe('linters', () => {
  test('openapi.json passes the recommended rules of Redocly', async () => {
    const config = await createConfig({ extends: ['recommended'], rules: OFF });
    const problems = await lintFromString({ source, absoluteRef: file.pathname, config });
    assert.deepEqual(problems, []);
  });

  test('openapi.json passes the recommended rules of Spectral', async () => {
    const spectral = new spectralCore.Spectral();
    // The types of the two packages have diverged.
    const ruleset: unknown = { extends: [spectralRulesets.oas], rules: { [OUTDATED]: 'off' } };
    spectral.setRuleset(ruleset as RulesetDefinition);
    const results = await spectral.run(JSON.parse(source));
    // Settings in examples have a member `default`, which the rule takes for that of a schema.
    const found = results.filter(({ path }) => !(path.includes('examples') && path.at(-1) === 'default'));
    assert.deepEqual(
      found.map(({ code, message, path }) => [code, message, path.join('/')]),
      [],
    );
  });
});

/** The functions that docs/webhooks.md shows to receivers, with signatures of the service. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { formatSecret, newSecret } from '../change-webhook.ts';
import { signMessage } from './sign-message.ts';

const DOCUMENT = join(import.meta.dirname, '../../../../docs/webhooks.md');

type Headers = Record<string, string>;
interface Documented {
  verify(headers: Headers, body: Buffer, secret: string): boolean;
}
interface Case {
  readonly name: string;
  readonly headers: Headers;
  readonly body: string;
  readonly secret: string;
  readonly isValid: boolean;
}

const directory = mkdtempSync(join(tmpdir(), 'frontdesk-verification-'));
after(() => rmSync(directory, { recursive: true }));

/** Writes the only block of a language to a file, and returns its path. */
function extract(language: string, name: string): string {
  const pattern = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms');
  const [block, ...others] = readFileSync(DOCUMENT, 'utf8').matchAll(pattern);
  assert.ok(block !== undefined && others.length === 0, `docs/webhooks.md has one block of ${language}`);
  const file = join(directory, name);
  writeFileSync(file, block[1]!);
  return file;
}

/** Returns requests with the answer that each function has to give. */
function listCases(): Case[] {
  const [secret, previous, other] = [newSecret(), newSecret(), newSecret()];
  const body = '{"type":"user.created","data":{"subject":"user:ä"}}';
  const sign = (now = Date.now()): Headers => signMessage({ id: 'evt-1', now, body }, [secret, previous]);
  const usual = { body, secret: formatSecret(secret) };
  const valid: Omit<Case, 'isValid'>[] = [
    { ...usual, name: 'a new signature', headers: sign() },
    { ...usual, name: 'the previous secret', headers: sign(), secret: formatSecret(previous) },
    { ...usual, name: 'a time of four minutes ago', headers: sign(Date.now() - 240_000) },
  ];
  const invalid: Omit<Case, 'isValid'>[] = [
    { ...usual, name: 'another secret', headers: sign(), secret: formatSecret(other) },
    { ...usual, name: 'another body', headers: sign(), body: `${body} ` },
    { ...usual, name: 'another id', headers: { ...sign(), 'webhook-id': 'evt-2' } },
  ];
  for (const offset of [-302_000, 360_000])
    invalid.push({ ...usual, name: `a time ${offset} ms from now`, headers: sign(Date.now() + offset) });
  for (const name of Object.keys(sign())) {
    const { [name]: _, ...headers } = sign();
    invalid.push({ ...usual, name: `no ${name}`, headers });
  }
  const change = (name: string, values: readonly string[]) => {
    for (const value of values)
      invalid.push({
        ...usual,
        name: `${name}: ${value.slice(0, 20)}`,
        headers: { ...sign(), [name]: value },
      });
  };
  const signature = sign()['webhook-signature']!.split(' ')[0]!;
  change('webhook-signature', ['', 'v1', 'v1,', 'v1,!', 'v1,ä', signature.replace('v1', 'v2')]);
  change('webhook-timestamp', ['', 'x', '-1', '٣', '1e3', '9'.repeat(5000)]);
  const toCase = (isValid: boolean) => (each: Omit<Case, 'isValid'>) => ({ ...each, isValid });
  return [...valid.map(toCase(true)), ...invalid.map(toCase(false))];
}

/** Prints the answer to each case of its standard input, as a list of JSON. */
const PYTHON_PROGRAM = `
import json, sys
from documented import verify
cases = json.load(sys.stdin)
print(json.dumps([verify(case["headers"], case["body"].encode(), case["secret"]) for case in cases]))
`;
const python = spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 9))']);

describe('the functions for receivers in docs/webhooks.md', () => {
  test('the documented function in TypeScript accepts signatures of the service by a valid secret, and no others', async () => {
    const { verify }: Documented = await import(pathToFileURL(extract('ts', 'documented.mts')).href);
    for (const { name, headers, body, secret, isValid } of listCases())
      assert.equal(verify(headers, Buffer.from(body), secret), isValid, name);
  });

  test('the documented function in Python accepts signatures of the service by a valid secret, and no others', {
    skip: python.status === 0 ? false : 'there is no Python 3.9 on this machine',
  }, () => {
    extract('python', 'documented.py');
    const cases = listCases();
    const { stdout, stderr } = spawnSync('python3', ['-c', PYTHON_PROGRAM], {
      cwd: directory,
      input: JSON.stringify(cases),
      encoding: 'utf8',
      env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
    });
    assert.equal(stderr, '');
    const answers: boolean[] = JSON.parse(stdout);
    assert.deepEqual(
      cases.map(({ name }, index) => [name, answers[index]]),
      cases.map(({ name, isValid }) => [name, isValid]),
    );
  });
});

/** The function that docs/webhooks.md shows to receivers, with signatures of the service. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { formatSecret, newSecret } from '../secrets.ts';
import { signMessage } from './sign-message.ts';

const DOCUMENT = join(import.meta.dirname, '../../../../docs/webhooks.md');

type Headers = Record<string, string | undefined>;
interface Documented {
  verify(headers: Headers, body: Buffer, secret: string): boolean;
}

const directory = mkdtempSync(join(tmpdir(), 'frontdesk-verification-'));
after(() => rmSync(directory, { recursive: true }));

/** Loads the module in the only block of TypeScript. */
function loadDocumented(): Promise<Documented> {
  const [block, ...others] = readFileSync(DOCUMENT, 'utf8').matchAll(/^```ts\n(.*?)^```$/gms);
  assert.ok(block !== undefined && others.length === 0, 'docs/webhooks.md has one block of TypeScript');
  const file = join(directory, 'verify.mts');
  writeFileSync(file, block[1]!);
  return import(pathToFileURL(file).href);
}

describe('the function for receivers in docs/webhooks.md', () => {
  const [secret, previous, other] = [newSecret(), newSecret(), newSecret()];
  const body = '{"type":"user.created","data":{"subject":"user:ä"}}';
  const bytes = Buffer.from(body);
  const sign = (now = Date.now()): Headers => signMessage({ id: 'evt-1', now, body }, [secret, previous]);

  test('the documented function accepts what the service signs, by each of two valid secrets', async () => {
    const { verify } = await loadDocumented();
    for (const each of [secret, previous]) assert.equal(verify(sign(), bytes, formatSecret(each)), true);
    const recent = sign(Date.now() - 299_000);
    assert.equal(verify(recent, bytes, formatSecret(secret)), true);
  });

  test('the documented function rejects other secrets, changed messages, old times and missing headers', async () => {
    const { verify } = await loadDocumented();
    const own = formatSecret(secret);
    assert.equal(verify(sign(), bytes, formatSecret(other)), false);
    assert.equal(verify(sign(), Buffer.from(`${body} `), own), false);
    assert.equal(verify({ ...sign(), 'webhook-id': 'evt-2' }, bytes, own), false);
    for (const offset of [-302_000, 302_000])
      assert.equal(verify(sign(Date.now() + offset), bytes, own), false);
    for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature'])
      assert.equal(verify({ ...sign(), [name]: undefined }, bytes, own), false);
    for (const signatures of ['', 'v1', 'v1,', `v2,${sign()['webhook-signature']?.slice(3)}`])
      assert.equal(verify({ ...sign(), 'webhook-signature': signatures }, bytes, own), false);
  });
});

import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { type Respond, respondWith, startReceiver } from '../../../test/support/receiver.ts';
import { createAddressPolicy } from './address-policy.ts';
import { createGuardedFetch } from './guarded-fetch.ts';

const LOOPBACK = createAddressPolicy(['127.0.0.1']);
const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';

describe('guarded fetch', () => {
  /** The first request also loads undici, which can take longer than a short deadline. */
  async function fetchFrom(
    context: TestContext,
    respond: Respond,
    { policy = LOOPBACK, deadlineMs = 10_000 } = {},
  ) {
    const receiver = await startReceiver(respond);
    context.after(() => receiver.close());
    return { receiver, response: createGuardedFetch({ policy, deadlineMs })(`${receiver.url}/a?b=c`) };
  }

  test('guarded fetch returns status, type and body, without cookies and compression', async (context) => {
    const { receiver, response } = await fetchFrom(
      context,
      respondWith(`${HEAD}content-length: 7\r\n\r\n{"a":1}`),
    );
    assert.deepEqual(await (await response).json(), { a: 1 });
    assert.equal(receiver.requests[0]!.start, 'GET /a?b=c HTTP/1.1');
    assert.equal(receiver.requests[0]!.headers['accept-encoding'], 'identity');
  });

  const failures: Record<string, [respond: Respond, reason: string]> = {
    'a response that does not come': [() => {}, 'timeout'],
    'a body that does not end': [respondWith(`${HEAD}content-length: 9\r\n\r\n{`, { end: false }), 'timeout'],
    'a body of more than 256 KiB': [respondWith(`${HEAD}\r\n${'x'.repeat(262_145)}`), 'too_large'],
    'a head of more than 16 KiB': [respondWith(`${HEAD}x: ${'x'.repeat(20_000)}\r\n\r\n`), 'too_large'],
    'a redirect': [
      respondWith('HTTP/1.1 302 Found\r\nlocation: /b\r\ncontent-length: 0\r\n\r\n'),
      'redirect',
    ],
  };
  for (const [title, [respond, reason]] of Object.entries(failures))
    test(`guarded fetch rejects ${title} as ${reason}`, async (context) => {
      const deadline = reason === 'timeout' ? { deadlineMs: 300 } : {};
      const { receiver, response } = await fetchFrom(context, respond, deadline);
      await assert.rejects(response, { reason });
      assert.equal(receiver.requests.length, 1);
    });

  test('guarded fetch connects to no address that is not permitted', async (context) => {
    const { receiver, response } = await fetchFrom(context, () => {}, { policy: createAddressPolicy([]) });
    await assert.rejects(response, { reason: 'address_not_allowed' });
    assert.equal(receiver.connections(), 0);
  });
});

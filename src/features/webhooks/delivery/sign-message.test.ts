import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { formatSecret, newSecret } from '../change-webhook.ts';
import { signMessage } from './sign-message.ts';

const bytes = (secret: string) => Buffer.from(secret.replace('whsec_', ''), 'base64');

describe('signMessage', () => {
  test('signMessage returns the known answer of Standard Webhooks', () => {
    const message = {
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      now: 1_614_265_330_000,
      body: '{"test": 2432232314}',
    };
    assert.deepEqual(signMessage(message, [bytes('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')]), {
      'webhook-id': message.id,
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
  });

  test('signMessage signs any body as the package of Standard Webhooks does', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.uuid(), (text, id) => {
        const secret = newSecret();
        const body = JSON.stringify({ text });
        const now = 1_800_000_000_999;
        const expected = new Webhook(formatSecret(secret)).sign(id, new Date(now), body);
        assert.equal(signMessage({ id, now, body }, [secret])['webhook-signature'], expected);
      }),
    );
  });

  test('signMessage signs with each secret, so that receivers with either accept the message', () => {
    const secrets = [newSecret(), newSecret()];
    const body = '{"type":"user.created"}';
    const headers = signMessage({ id: 'id-1', now: Date.now(), body }, secrets);
    for (const secret of secrets)
      assert.deepEqual(new Webhook(formatSecret(secret)).verify(body, headers), { type: 'user.created' });
    assert.throws(() => new Webhook(formatSecret(newSecret())).verify(body, headers));
    assert.throws(() => new Webhook(formatSecret(secrets[0]!)).verify(`${body} `, headers));
    const other = { ...headers, 'webhook-id': 'id-2' };
    assert.throws(() => new Webhook(formatSecret(secrets[0]!)).verify(body, other));
  });
});

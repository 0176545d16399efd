import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createSecretSeal, newSecret } from './change-webhook.ts';

const KEY = 'k'.repeat(32);

describe('the secret of a webhook', () => {
  test('the secret of a webhook is unsealed with the same SECRET_KEY and id only', () => {
    const secret = newSecret();
    const sealed = createSecretSeal(KEY).seal('id-1', secret);
    assert.deepEqual(Buffer.from(createSecretSeal(KEY).unseal('id-1', sealed)), secret);
    assert.throws(() => createSecretSeal(KEY).unseal('id-2', sealed));
    assert.throws(() => createSecretSeal('K'.repeat(32)).unseal('id-1', sealed));
    assert.equal(Buffer.from(sealed).indexOf(Buffer.from(secret)), -1);
  });
});

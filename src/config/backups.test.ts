import assert from 'node:assert/strict';
import { test } from 'node:test';
import { generateHybridIdentity, generateX25519Identity, identityToRecipient } from 'age-encryption';
import { assertRejected } from '../../test/support/settings.ts';
import { readConfig } from '../config.ts';

for (const [kind, generate] of Object.entries({ generateX25519Identity, generateHybridIdentity }))
  test(`BACKUP_RECIPIENT accepts the public key of ${kind}`, async () => {
    const recipient = await identityToRecipient(await generate());
    assert.equal(readConfig({ BACKUP_RECIPIENT: recipient }).backups.recipient, recipient);
  });

test('BACKUP_RECIPIENT rejects what is no public key', () => {
  for (const wrong of ['age1', 'age1pq1', 'AGE-SECRET-KEY-1', 'ssh-ed25519 AAAA'])
    assertRejected('BACKUP_RECIPIENT', wrong);
});

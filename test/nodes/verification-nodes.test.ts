/** Histories of verifications and revocations of the same tokens on two nodes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCredential } from '../support/credentials.ts';
import { describeOnPostgres } from '../support/runner/engines.ts';
import { useNodes } from '../support/service.ts';
import { insertLoggedInUser } from '../support/users.ts';

const ROUNDS = 10;
const VERIFICATIONS = 24;

describeOnPostgres('verification on two nodes of one PostgreSQL database', () => {
  const [one, two] = useNodes();

  test('verification on no node finds a token active that was revoked before the verification was sent', async () => {
    const { secret } = await createCredential(one, ['tokens:verify']);
    const counts = { active: 0, inactive: 0 };
    for (let round = 0; round < ROUNDS; round++) {
      const { token } = await insertLoggedInUser(one.service.database);
      let isRevoked = false;
      const verify = async (index: number) => {
        const wasRevoked = isRevoked;
        const body = index % 3 === 0 ? { tokens: [token, 'other'] } : { token };
        const node = index % 2 === 0 ? one : two;
        const response = await node.api.post('/api/v1/tokens/verify', body, { token: secret });
        const { active } = response.body.data?.[0] ?? response.body;
        assert.equal(active && wasRevoked, false, 'active after the revocation');
        counts[active ? 'active' : 'inactive']++;
      };
      const revoke = async () => {
        assert.equal((await two.api.post('/api/logout', undefined, { token })).status, 200);
        isRevoked = true;
        for (let index = 0; index < 6; index++) await verify(index);
      };
      const first = Array.from({ length: VERIFICATIONS / 2 }, (_, index) => verify(index));
      const revoked = revoke();
      await Promise.all([
        ...first,
        ...Array.from({ length: VERIFICATIONS / 2 }, (_, i) => verify(i)),
        revoked,
      ]);
    }
    assert.ok(counts.active > 0 && counts.inactive >= ROUNDS * 6, JSON.stringify(counts));
  });
});

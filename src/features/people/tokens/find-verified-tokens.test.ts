import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCredential } from '../../../../test/support/credentials.ts';
import { describeStorage } from '../../../../test/support/runner/engines.ts';
import { useSharedService } from '../../../../test/support/service.ts';
import { insertLoggedInUser, insertTestToken } from '../../../../test/support/users.ts';
import type { Database } from '../../../database/database.ts';
import { hashToken } from '../../../lib/secrets/tokens.ts';
import { createFindCredential } from '../../credentials/credential-caller.ts';
import { createFindVerifiedTokens } from './verify-tokens.ts';

/** Counts the statements that are executed outside transactions. */
function countReads(database: Database) {
  const reads = { count: 0 };
  const counting: Database = {
    ...database,
    get: (statement, ...values) => {
      reads.count++;
      return database.get(statement, ...values);
    },
    all: (statement, ...values) => {
      reads.count++;
      return database.all(statement, ...values);
    },
  };
  return { reads, counting };
}

describeStorage('reads of a verification', (engine) => {
  const service = useSharedService(engine);
  const { database } = service;

  test('reads of verifications that arrive together are one statement on a shared database', async () => {
    const { reads, counting } = countReads(database);
    const find = createFindVerifiedTokens(counting, Date.now);
    const { id } = await insertLoggedInUser(database);
    const tokens = [];
    for (let count = 0; count < 12; count++) tokens.push(await insertTestToken(database, id));
    const found = await Promise.all(tokens.map(({ hash }) => find([hash])));
    for (const [index, { hash }] of tokens.entries())
      assert.equal(found[index]!.get(hash)?.user_id, id, String(index));
    assert.equal(reads.count, database.isShared ? 1 : tokens.length);
    const several = await find([tokens[0]!.hash, tokens[1]!.hash, hashToken('unknown')]);
    assert.deepEqual([...several.keys()].sort(), [tokens[0]!.hash, tokens[1]!.hash].sort());
  });

  test('reads of the same credential by requests that arrive together are one statement on a shared database', async () => {
    const { reads, counting } = countReads(database);
    const find = createFindCredential(counting, Date.now);
    const [one, two] = [
      await createCredential(service, ['tokens:verify']),
      await createCredential(service, ['users:read'], { networks: ['192.0.2.0/24'] }),
    ];
    const requests = Array.from({ length: 12 }, (_, index) => ({
      secret: index % 3 === 0 ? two.secret : one.secret,
      clientIp: index % 2 === 0 ? '192.0.2.1' : '198.51.100.1',
    }));
    const found = await Promise.all(
      requests.map(({ secret, clientIp }) => find(hashToken(secret), clientIp)),
    );
    const ids = requests.map(({ secret, clientIp }) => {
      if (secret === one.secret) return one.record.id;
      return clientIp === '192.0.2.1' ? two.record.id : undefined;
    });
    assert.deepEqual(
      found.map((credential) => credential?.id),
      ids,
    );
    assert.equal(reads.count, database.isShared ? 2 : requests.length);
  });
});

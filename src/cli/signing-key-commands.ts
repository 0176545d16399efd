/** Commands about the keys that sign JSON Web Tokens. They write to the database; running nodes read it within seconds. */
import type { Command } from 'commander';
import type { Database } from '../database/database.ts';
import {
  findPublishedKeys,
  findSigningKey,
  type KeyTimes,
} from '../features/people/tokens/signing-keys/key-times.ts';
import {
  ALGORITHMS,
  listSigningKeys,
  type SigningKeyRow,
  selectKeys,
} from '../features/people/tokens/signing-keys/queries.ts';
import { createKeySeal, rotateKeysNow } from '../features/people/tokens/signing-keys/rotate-keys.ts';
import { type Clock, formatTimestamp, optionalTimestamp } from '../lib/time.ts';
import { verifySecretKey } from '../startup/prepare-database.ts';
import { getSecretKey } from '../startup/secret-files.ts';
import type { CommandContext } from './context.ts';

const HELP = `
Every command prints the published keys as JSON. The service rotates its keys every 30 days by itself.

rotate publishes a new key, which signs an hour later. No token is rejected meanwhile.
rotate --revoke-old is for a key that has leaked: the new key signs at once, and all others are deleted. Running nodes
follow within ten seconds. Services accept tokens of the old keys until their copy of the key set is renewed, usually
after five minutes at most.`;

export function addSigningKeyCommands(program: Command, context: CommandContext): void {
  const keys = program
    .command('signing-keys')
    .description('list and rotate the keys that sign JSON Web Tokens')
    .addHelpText('after', HELP);
  const run = (work: (database: Database, clock: Clock) => Promise<void>) =>
    context.withDatabase(async (database, clock) => {
      await work(database, clock);
      const now = clock();
      const published = findPublishedKeys(await listSigningKeys(database), now);
      context.printJson(signingKeyViews(published, now));
    });
  keys
    .command('list')
    .description('list the published keys')
    .action(() => run(async () => context.letReaderEnd()));
  keys
    .command('rotate')
    .description('publish the next key now')
    .option('--revoke-old', 'let the new key sign at once, and delete all others')
    .action(({ revokeOld = false }: { revokeOld?: boolean }) =>
      run(async (database, clock) => {
        const secretKey = getSecretKey(context.readSettings(), { warn: context.printError });
        // Nodes could not use a key that is encrypted with another secret.
        await verifySecretKey(database, secretKey);
        const keySeal = createKeySeal(secretKey);
        await rotateKeysNow({ database, clock, keySeal }, { revokesOld: revokeOld });
      }),
    );
}

/** Returns the published keys as commands show them, without the private keys. */
function signingKeyViews(keys: readonly SigningKeyRow[], now: number) {
  const signing = ALGORITHMS.map((name) => findSigningKey(selectKeys(keys, name), now));
  return keys.map((key) => ({
    id: key.id,
    algorithm: key.algorithm,
    state: signing.includes(key) ? 'signing' : getOtherState(key, now),
    created_at: formatTimestamp(key.created_at),
    signs_from: formatTimestamp(key.signs_from),
    signs_until: optionalTimestamp(key.signs_until),
    removed_at: optionalTimestamp(key.removed_at),
  }));
}

function getOtherState({ signs_from, signs_until }: KeyTimes, now: number): 'next' | 'retired' {
  return signs_from > now && (signs_until === null || signs_until > signs_from) ? 'next' : 'retired';
}

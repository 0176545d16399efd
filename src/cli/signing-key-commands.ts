/** Commands about the keys that sign JSON Web Tokens. They write to the database; running nodes read it within seconds. */
import type { Command } from 'commander';
import type { Database } from '../database/database.ts';
import { createKeySeal } from '../features/tokens/signing-keys/generate-key.ts';
import { findPublishedKeys } from '../features/tokens/signing-keys/key-times.ts';
import { listSigningKeys } from '../features/tokens/signing-keys/queries.ts';
import { rotateKeysNow } from '../features/tokens/signing-keys/rotate-keys.ts';
import { signingKeyViews } from '../features/tokens/signing-keys/signing-key-view.ts';
import type { Clock } from '../lib/time/clock.ts';
import { getSecretKey } from '../startup/secret-files.ts';
import { verifySecretKey } from '../startup/secret-key-check.ts';
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
    .action(() => run(async () => {}));
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

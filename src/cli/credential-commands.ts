/**
 * Commands about named credentials, for when nobody can use the API, and about the keys that sign JSON Web Tokens. They
 * write to the database; running nodes read it within seconds.
 */
import { type Command, Option } from 'commander';
import { ADMIN_SCOPE_NAMES, type AdminScope, ROLE_NAMES, ROLES, type Role } from '../callers/admin-scopes.ts';
import { FIRST_OWNER } from '../callers/callers.ts';
import type { Database } from '../database/database.ts';
import { createCredential } from '../features/credentials/change-credential.ts';
import { createCredentialSchema, credentialView } from '../features/credentials/credential.ts';
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
import { createValidator } from '../lib/schema/validator.ts';
import { type Clock, formatTimestamp, optionalTimestamp } from '../lib/time.ts';
import { splitList } from '../settings/rules.ts';
import { verifySecretKey } from '../startup/prepare-database.ts';
import { getSecretKey } from '../startup/secret-files.ts';
import { type CommandContext, CommandError } from './context.ts';

const EXAMPLES = `
Examples:
  npm run cli -- credentials create "help desk" --role support --expires 2027-01-01T00:00:00Z
  npm run cli -- credentials create newsletter --scopes users:read,events:read --networks 192.0.2.0/24

Roles: ${ROLE_NAMES.map((role) => `${role} (${ROLES[role].join(', ')})`).join('; ')}.
Scopes: ${ADMIN_SCOPE_NAMES.join(', ')}.

Every command prints JSON, create the credential itself. "api" lists, rotates and revokes credentials.`;

/** Commands have the rights of the first owner. */
const caller = FIRST_OWNER;

export function addCredentialCommands(program: Command, context: CommandContext): void {
  const credentials = program
    .command('credentials')
    .description('add credentials of programs')
    .addHelpText('after', EXAMPLES);
  credentials
    .command('create <name>')
    .description('add a credential and print it')
    .addOption(new Option('--role <role>', 'a named set of scopes').choices(ROLE_NAMES))
    .option('--scopes <scopes>', 'scopes, separated by commas, besides those of the role')
    .option('--expires <time>', 'time from which it is rejected (RFC 3339)')
    .option('--networks <networks>', 'addresses and networks from which it is accepted, separated by commas')
    .action((name: string, options: CreateOptions) => create(context, name, options));
}

interface CreateOptions {
  readonly role?: Role;
  readonly scopes?: string;
  readonly expires?: string;
  readonly networks?: string;
}

const validateCreation = createValidator(createCredentialSchema);

async function create(
  { createOrUseDatabase, printJson }: CommandContext,
  name: string,
  { role, scopes, expires, networks }: CreateOptions,
): Promise<void> {
  if (role === undefined && scopes === undefined) throw new CommandError('Give --role or --scopes.');
  const given = {
    name,
    scopes: [...(role === undefined ? [] : ROLES[role]), ...splitList(scopes ?? '')],
    ...(expires === undefined ? {} : { expires_at: expires }),
    ...(networks === undefined ? {} : { networks: splitList(networks) }),
  };
  const valid = validateCreation(given) as {
    readonly name: string;
    readonly scopes: readonly AdminScope[];
    readonly expires_at?: string | null;
    readonly networks?: readonly string[] | null;
  };
  const request = { ...valid, caller, expiresAt: valid.expires_at ?? null, networks: valid.networks ?? null };
  await createOrUseDatabase(async (database, clock) => {
    const { credential, secret } = await database.transaction((tx) =>
      createCredential({ clock }, tx, request),
    );
    printJson({ ...credentialView(credential, { caller, now: clock() }), credential: secret });
  });
}

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

/** Commands about named credentials for when nobody can use the API. */
import { type Command, Option } from 'commander';
import { ADMIN_SCOPE_NAMES, type AdminScope, ROLE_NAMES, ROLES, type Role } from '../callers/admin-scopes.ts';
import { FIRST_OWNER } from '../callers/callers.ts';
import { createCredential } from '../features/credentials/change-credential.ts';
import { createCredentialSchema, credentialView } from '../features/credentials/credential.ts';
import { createValidator } from '../lib/schema/validator.ts';
import { splitList } from '../settings/rules.ts';
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

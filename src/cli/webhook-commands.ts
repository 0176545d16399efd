/** Commands about webhooks. They write to the database; a running service delivers. */
import type { Command } from 'commander';
import type { Database } from '../database/database.ts';
import { createEndpoint } from '../features/webhooks/create-endpoint.ts';
import { deleteEndpoint } from '../features/webhooks/delete-endpoint.ts';
import { deliveryView } from '../features/webhooks/deliveries/delivery-responses.ts';
import { addAttempts } from '../features/webhooks/deliveries/list-deliveries.ts';
import { readDeliveries } from '../features/webhooks/deliveries/queries.ts';
import { retryDelivery } from '../features/webhooks/deliveries/retry-delivery.ts';
import { sendTest } from '../features/webhooks/deliveries/send-test.ts';
import { listEndpoints } from '../features/webhooks/queries.ts';
import { replayEvents } from '../features/webhooks/replay/replay-events.ts';
import { type ReplayRequest, readSelection } from '../features/webhooks/replay/rules.ts';
import { rotateSecret } from '../features/webhooks/rotate-secret.ts';
import { normalizeUrl, parseEndpointId, toSettings } from '../features/webhooks/rules.ts';
import { createSecretSeal, formatSecret } from '../features/webhooks/secrets.ts';
import { webhookView } from '../features/webhooks/webhook-responses.ts';
import { createAddressPolicy } from '../lib/outbound/address-policy.ts';
import type { Clock } from '../lib/time/clock.ts';
import { getSecretKey } from '../startup/secret-files.ts';
import { verifySecretKey } from '../startup/secret-key-check.ts';
import type { CommandContext } from './context.ts';
import { parseEventTypes } from './webhooks/parse-event-types.ts';
import { withDatabase } from './with-database.ts';

const EXAMPLES = `
Examples:
  npm run cli -- webhooks create https://example.com/hook --types user.created,user.erased
  npm run cli -- webhooks deliveries 01938c5e-7a00-7b3c-9d1e-2f4a6b8c0d2e
  npm run cli -- webhooks replay 01938c5e-7a00-7b3c-9d1e-2f4a6b8c0d2e --since 2026-01-05T00:00:00Z

Every command prints JSON. The secret of a webhook is printed by create and rotate-secret only.`;

const LISTED = 100;

/** What a command does with the database. Its result is printed. */
type Work = (database: Database, clock: Clock) => Promise<unknown>;

/** Adds the commands. */
export function addWebhookCommands(program: Command, context: CommandContext): void {
  const webhooks = program
    .command('webhooks')
    .description('manage endpoints that receive events')
    .addHelpText('after', EXAMPLES);
  const run = async (work: Work) =>
    context.print(JSON.stringify(await withDatabase(context.readSettings(), work), null, 2));
  addEndpointCommands(webhooks, context, run);
  addDeliveryCommands(webhooks, run);
}

function addEndpointCommands(
  webhooks: Command,
  context: CommandContext,
  run: (work: Work) => Promise<void>,
): void {
  webhooks
    .command('list')
    .description('list webhooks')
    .action(() =>
      run(async (database, clock) => (await listEndpoints(database)).map((row) => webhookView(row, clock()))),
    );
  webhooks
    .command('create <url>')
    .description('add a webhook and print its secret')
    .option('--types <types>', 'types of events, separated by commas; without it, all')
    .option('--description <text>', 'for people')
    .action((url: string, options: { types?: string; description?: string }) =>
      run((database, clock) => create(context, { database, clock, url, ...options })),
    );
  addSecretAndDeletion(webhooks, context, run);
}

function addSecretAndDeletion(
  webhooks: Command,
  context: CommandContext,
  run: (work: Work) => Promise<void>,
): void {
  webhooks
    .command('rotate-secret <id>')
    .description('replace the secret and print the new one')
    .action((id: string) =>
      run(async (database, clock) => {
        const deps = { clock, webhookSecrets: await openSeal(context, database) };
        const { endpoint, secret } = await database.transaction((tx) =>
          rotateSecret(deps, tx, parseEndpointId(id)),
        );
        return { ...webhookView(endpoint, clock()), secret: formatSecret(secret) };
      }),
    );
  webhooks
    .command('delete <id>')
    .description('delete a webhook with its deliveries')
    .action((id: string) =>
      run(async (database, clock) => {
        await deleteEndpoint({ database, clock }, parseEndpointId(id));
        return { id, deleted: true };
      }),
    );
}

interface Creation {
  readonly database: Database;
  readonly clock: Clock;
  readonly url: string;
  readonly types?: string;
  readonly description?: string;
}

async function create(
  context: CommandContext,
  { database, clock, url, types, description }: Creation,
): Promise<object> {
  const policy = createAddressPolicy(context.readSettings().webhookAllow);
  const settings = toSettings({
    url: normalizeUrl(url, policy),
    ...(types === undefined ? {} : { types: parseEventTypes(types) }),
    ...(description === undefined ? {} : { description }),
  });
  const deps = { clock, webhookSecrets: await openSeal(context, database) };
  const { endpoint, secret } = await database.transaction((tx) => createEndpoint(deps, tx, settings));
  return { ...webhookView(endpoint, clock()), secret: formatSecret(secret) };
}

/** With the key of the service: the nodes could not read a secret that another key has encrypted. */
async function openSeal({ readSettings, printError }: CommandContext, database: Database) {
  const secretKey = getSecretKey(readSettings(), { warn: printError });
  await verifySecretKey(database, secretKey);
  return createSecretSeal(secretKey);
}

function addDeliveryCommands(webhooks: Command, run: (work: Work) => Promise<void>): void {
  webhooks
    .command('test <id>')
    .description('send a test event')
    .action((id: string) =>
      run(async (database, clock) => ({
        delivery_id: await database.transaction((tx) => sendTest({ clock }, tx, parseEndpointId(id))),
      })),
    );
  webhooks
    .command('deliveries <id>')
    .description(`list the last ${LISTED} deliveries with their attempts`)
    .action((id: string) => run((database) => listLatest(database, parseEndpointId(id))));
  webhooks
    .command('retry <id> <delivery>')
    .description('attempt a delivery now')
    .action((id: string, deliveryId: string) =>
      run(async (database, clock) => {
        const path = { endpointId: parseEndpointId(id), deliveryId };
        return deliveryView(await database.transaction((tx) => retryDelivery({ clock }, tx, path)));
      }),
    );
  addReplay(webhooks, run);
}

function addReplay(webhooks: Command, run: (work: Work) => Promise<void>): void {
  webhooks
    .command('replay <id>')
    .description('deliver events again')
    .option('--since <time>', 'all events since a time (RFC 3339)')
    .option('--from <time>', 'beginning of a span')
    .option('--to <time>', 'end of the span')
    .option('--event-ids <ids>', 'single events, separated by commas')
    .action((id: string, { eventIds, ...span }: ReplayRequest & { eventIds?: string }) =>
      run((database, clock) => {
        const ids = eventIds === undefined ? {} : { event_ids: eventIds.split(',') };
        const replay = { endpointId: parseEndpointId(id), selection: readSelection({ ...span, ...ids }) };
        return database.transaction(async (tx) => ({ events: await replayEvents({ clock }, tx, replay) }));
      }),
    );
}

async function listLatest(database: Database, endpointId: string): Promise<object[]> {
  const rows = await readDeliveries(database, { endpointId, state: null, before: null, limit: LISTED });
  return (await addAttempts(database, rows)).map(deliveryView);
}

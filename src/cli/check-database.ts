/** Checks the database: reachable, migrated, writable, and its clock. Changes nothing. */
import type { Config } from '../config.ts';
import { type Database, PermissionDenied } from '../database/database.ts';
import { isCreated, openDatabase } from '../database/open.ts';
import { addSetting } from '../database/settings.ts';
import { checkMetadata } from '../features/identity-providers/check-provider.ts';
import { listEnabledProviders } from '../features/identity-providers/queries.ts';
import {
  checkBackups,
  checkConnection,
  checkContents,
  unreachable,
} from '../features/operation/checks/check-database.ts';
import { checkStoredSettings } from '../features/operation/checks/check-settings.ts';
import {
  type Finding,
  failure,
  getReason,
  MIGRATE,
  ok,
  warning,
} from '../features/operation/checks/finding.ts';
import { deleteTokensOfUser } from '../features/tokens/queries.ts';
import { lockUser } from '../features/users/records/queries.ts';
import { createAddressPolicy } from '../lib/outbound/address-policy.ts';
import { createGuardedFetch } from '../lib/outbound/guarded-fetch.ts';
import { newId } from '../lib/secrets/ids.ts';
import { loadSettings } from '../settings/live-settings.ts';

export async function checkDatabase(config: Config): Promise<Finding[]> {
  if (!isCreated(config))
    return [warning('database', `There is no database in ${config.dataDir} yet: ${MIGRATE}`)];
  try {
    const database = openDatabase(config);
    const findings = checkConnection(database, config, () => checkAll(database, config));
    return await findings.finally(() => database.close());
  } catch (error) {
    return [unreachable(error)];
  }
}

async function checkAll(
  database: Database,
  { runTime, backups, publicUrl, trustProxy, webhookAllow }: Config,
): Promise<Finding[]> {
  let skewMs = 0;
  await database.startClock((found) => {
    skewMs = found;
  });
  const checkRights = () => tryWriting(database);
  const checked = { publicUrl, trustProxy, skewMs, now: Date.now(), checkRights };
  const findings = await checkContents(database, checked);
  const isCurrent = findings.some(({ check, status }) => check === 'schema' && status === 'ok');
  if (!isCurrent) return findings;
  const now = Date.now();
  return [
    ...findings,
    // A command does not know since when the service has been running.
    await checkBackups(database, backups, { startedAt: now, now }),
    ...checkStoredSettings((await loadSettings(database, runTime)).ignored),
    ...(await checkProviders(database, webhookAllow)),
  ];
}

/** Reads the metadata of the identity providers with which people can sign in. */
async function checkProviders(database: Database, allowed: readonly string[]): Promise<Finding[]> {
  const fetch = createGuardedFetch({ policy: createAddressPolicy(allowed) });
  const providers = (await listEnabledProviders(database)).filter(({ kind }) => kind === 'oidc');
  return Promise.all(
    providers.map(async (provider) => {
      const failed = (await checkMetadata(fetch, provider)).find(({ status }) => status === 'failed');
      if (failed === undefined) return ok('providers', `${provider.name} can be reached`);
      return failure('providers', `Nobody can sign in with ${provider.name}: ${failed.message}`);
    }),
  );
}

class RolledBack extends Error {}

/** Inserts, updates and deletes in a transaction that is rolled back. */
async function tryWriting(database: Database): Promise<Finding> {
  const id = newId();
  try {
    await database.transaction(async (tx) => {
      await addSetting(tx, { name: `doctor ${id}`, value: '' });
      await lockUser(tx, id);
      await deleteTokensOfUser(tx, id);
      throw new RolledBack();
    });
  } catch (error) {
    if (error instanceof PermissionDenied)
      return failure(
        'rights',
        `${getReason(error)}: grant the role select, insert, update and delete on all tables`,
      );
    if (!(error instanceof RolledBack))
      return failure('rights', `the database cannot be written: ${getReason(error)}`);
  }
  return ok('rights', 'the database can be written');
}

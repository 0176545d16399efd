/** Credentials as callers of requests. */
import type { AdminCredential, FindCredential } from '../../callers/callers.ts';
import { cacheUntilCommit } from '../../database/cache-until-commit.ts';
import type { Database, Tx } from '../../database/database.ts';
import { lockSetting } from '../../database/settings.ts';
import { joinLookups } from '../../lib/queues/shared-work.ts';
import type { Clock } from '../../lib/time.ts';
import { credentialRejected } from '../../problems/challenges.ts';
import { lockRoles } from '../users/records/roles.ts';
import { findValidCredential, type ValidCredential } from './queries.ts';
import { isFromNetworks, parseScopes } from './rules.ts';

/**
 * Creates the function. On a shared database, requests that arrive together with the same credential have one
 * statement.
 */
export function createFindCredential(database: Database, clock: Clock): FindCredential {
  const read = database.isShared ? joinedReads(database, clock) : readOne(database, clock);
  const findValid = cacheUntilCommit(database, async (secretHash) => {
    const found = await read(secretHash);
    return found && { ...found, credential: toCredential(found, secretHash) };
  });
  return async (secretHash, clientIp) => {
    const found = await findValid(secretHash);
    const isAccepted =
      found !== undefined && isValidAt(found, clock()) && isFromNetworks(found.networks, clientIp);
    return isAccepted ? found.credential : undefined;
  };
}

function toCredential(found: ValidCredential, secretHash: string): AdminCredential {
  const { id, name, scopes, expires_at, last_used_at } = found;
  return {
    id,
    name,
    scopes: parseScopes(scopes),
    secretHash,
    expiresAt: expires_at,
    lastUsedAt: last_used_at,
  };
}

function isValidAt({ expires_at, valid_until }: ValidCredential, now: number): boolean {
  return (expires_at === null || expires_at > now) && (valid_until === null || valid_until > now);
}

type FindValid = (secretHash: string) => Promise<ValidCredential | undefined>;

function readOne(database: Database, clock: Clock): FindValid {
  return (secretHash) => findValidCredential(database, secretHash, clock());
}

/** Requests of one turn hardly ever have more than a few credentials. */
const MAX_JOINED = 10;

function joinedReads(database: Database, clock: Clock): FindValid {
  const read = readOne(database, clock);
  const find = joinLookups(
    async (hashes) =>
      new Map(await Promise.all(hashes.map(async (hash) => [hash, await read(hash)] as const))),
    MAX_JOINED,
  );
  return async (secretHash) => (await find([secretHash])).get(secretHash);
}

/** Serializes changes of credentials. @throws Problem unauthorized if that of the request, or the role, was revoked */
export async function lockCredentials(tx: Tx, caller: AdminCredential, now: number): Promise<void> {
  await lockSetting(tx, 'credentials');
  const { secretHash, role } = caller;
  if (role !== undefined) await lockRoles(tx);
  if (secretHash !== null && (await findValidCredential(tx, secretHash, now)) === undefined)
    throw credentialRejected('admin');
}

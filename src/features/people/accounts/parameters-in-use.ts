/**
 * Keeps track of the parameters of password hashes in the database. After a change of the parameters, the next login of
 * each user replaces the hash. Until then, unknown emails are verified with the oldest parameters, to take as long.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Database, Tx } from '../../../database/database.ts';
import {
  addSetting,
  deleteSetting,
  readSetting,
  readSettings,
  writeSetting,
} from '../../../database/settings.ts';
import { getHashPrefix, PREFIX } from '../../../lib/passwords/password-parameters.ts';
import { type Clock, HOUR } from '../../../lib/time.ts';
import { findOldestPasswordHash, searchHashes } from './queries.ts';

/** One setting per parameters, so that nodes do not overwrite those of others. Its value is the time of the first use. */
const SETTING = 'password_parameters ';
/** Older than all others. */
const BEFORE_ALL = '0';
/** Users per query: few enough that no request waits long for the event loop. */
const BATCH_SIZE = 500;

export type ParametersInUse = Awaited<ReturnType<typeof readParameters>>;

/** Records that the parameters of hashes with the start `current` are in use, and reads which ones are. */
export async function readParameters(database: Database, clock: Clock, current: string = PREFIX) {
  const readPrefixes = () => database.transaction((tx) => recordPrefixes(tx, current, clock()));
  let [oldest = current] = await readPrefixes();
  return {
    /** Returns the start of the hashes with the oldest parameters. */
    oldestPrefix: () => oldest,
    /** Deletes the oldest parameters if no user has them any more, and reads changes of other nodes, until `isClosed`. */
    async update(isClosed: () => boolean): Promise<void> {
      for (const prefix of await readPrefixes()) {
        oldest = prefix;
        if (prefix === current || (await isInUse(database, prefix, isClosed))) break;
        await database.transaction((tx) => deleteSetting(tx, `${SETTING}${prefix}`));
      }
    },
  };
}

/**
 * Records the parameters of imported hashes. Their value is the negative number of hashes: unknown emails are verified
 * with those that most accounts have. Running nodes read them within an hour.
 */
export async function recordImported(tx: Tx, hashes: readonly string[]): Promise<void> {
  for (const [prefix, { length }] of Map.groupBy(hashes, getHashPrefix)) {
    if (prefix === null || prefix === PREFIX) continue;
    const name = `${SETTING}${prefix}`;
    const recorded = Math.min(Number((await readSetting(tx, name)) ?? BEFORE_ALL), 0);
    await writeSetting(tx, name, String(recorded - length));
  }
}

/** Starts to update every hour, for the first time after an hour. `close` stops after the current batch. */
export function startUpdates({ update }: ParametersInUse, logger: Logger) {
  let isClosed = false;
  let updating = Promise.resolve();
  const timer = setInterval(() => {
    updating = update(() => isClosed).catch((error) => {
      logger.warn({ err: error }, 'password parameters were not updated; the next attempt is in an hour');
    });
  }, HOUR).unref();
  return {
    close() {
      clearInterval(timer);
      isClosed = true;
      return updating;
    },
  };
}

/** Returns the starts of the hashes in the database, the oldest parameters first. */
async function recordPrefixes(tx: Tx, current: string, now: number): Promise<string[]> {
  // Known only from the hash in databases that were created before parameters were recorded, or filled otherwise.
  const found = getHashPrefix((await findOldestPasswordHash(tx))?.password_hash ?? '');
  if (found !== null) await addSetting(tx, { name: `${SETTING}${found}`, value: BEFORE_ALL });
  await addSetting(tx, { name: `${SETTING}${current}`, value: String(now) });
  const settings = await readSettings(tx, SETTING);
  return settings
    .sort((a, b) => Number(a.value) - Number(b.value))
    .map(({ name }) => name.slice(SETTING.length));
}

/** Whether a user has a hash with this start; true if the search is stopped. Old accounts, which often do, are read first. */
async function isInUse(database: Database, prefix: string, isClosed: () => boolean): Promise<boolean> {
  let after = '';
  while (!isClosed()) {
    const search = { after, prefix, length: prefix.length, limit: BATCH_SIZE };
    const { last, found } = (await searchHashes(database, search))!;
    if (last === null) return false;
    if (found !== null) break;
    after = last;
    await nextTurn();
  }
  return true;
}

/** Records an event when the service starts with other settings than at its last start. */
import type { Database } from '../database/database.ts';
import { lockSetting, readSetting, writeSetting } from '../database/settings.ts';
import { type RecordedChange, recordEvent } from '../features/events/record-event.ts';
import type { Clock } from '../lib/time.ts';
import type { EffectiveSetting } from '../settings/setting-definition.ts';

/** The setting of the database that has the settings of the last start, of any node. */
const LAST = 'last_start';

type Values = Readonly<Record<string, string | boolean | null>>;

/** Stores the settings, and records those that have changed. Of secrets, only whether they are set. */
export async function recordSettings(
  database: Database,
  clock: Clock,
  settings: readonly Pick<EffectiveSetting, 'name' | 'value' | 'is_secret' | 'is_set'>[],
): Promise<void> {
  const values: Values = Object.fromEntries(
    settings.map(({ name, value, is_secret, is_set }) => [name, is_secret ? is_set : value]),
  );
  const text = JSON.stringify(values);
  if ((await readSetting(database, LAST)) === text) return;
  await database.transaction(async (tx) => {
    await lockSetting(tx, LAST);
    const before = await readSetting(tx, LAST);
    await writeSetting(tx, LAST, text);
    const changes = before ? listChanges(JSON.parse(before) as Values, values) : [];
    if (changes.length > 0)
      await recordEvent(tx, { type: 'settings.changed', subject: 'settings', changes, now: clock() });
  });
}

/** Settings that one release does not know are null there. */
function listChanges(before: Values, after: Values): RecordedChange[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return names
    .map((name) => ({ name, from: before[name] ?? null, to: after[name] ?? null }))
    .filter(({ from, to }) => from !== to);
}

/** Lets a shorter EVENTS_DAYS take effect after seven days, so that others can see what was done before. */
import type { Tx } from '../../../database/database.ts';
import { addSetting, lockSetting, readSetting, writeSetting } from '../../../database/settings.ts';
import { DAY, formatTimestamp } from '../../../lib/time.ts';
import { recordEvent } from '../../events/record-event.ts';
import { deleteOldEvents } from '../../events/retention/delete-events.ts';
import { enqueueMail } from '../../mail/enqueue-mail.ts';

const DELAY_MS = 7 * DAY;

/** The setting of the database that has the days in effect. */
const NAME = 'events_days';

interface Retention {
  readonly days: number;
  /** Fewer days that are in effect from `at`, in epoch milliseconds. */
  readonly next: { readonly days: number; readonly at: number } | null;
}

interface Current {
  /** As EVENTS_DAYS says. */
  readonly days: number;
  readonly operatorEmail: string | null;
  readonly now: number;
}

/** Creates the function that deletes at most `limit` events after the days in effect, and returns their number. */
export function createDeleteOfOldEvents(days: number, operatorEmail: string | null) {
  return async (tx: Tx, now: number, limit: number): Promise<number> => {
    const inEffect = await delayRetention(tx, { days, operatorEmail, now });
    return deleteOldEvents(tx, { before: now - inEffect * DAY, now }, limit);
  };
}

/** Returns the days in effect. The first time that they will be fewer, records an event and notifies the operator. */
async function delayRetention(tx: Tx, current: Current): Promise<number> {
  const { days } = current;
  await addSetting(tx, { name: NAME, value: JSON.stringify({ days, next: null }) });
  await lockSetting(tx, NAME);
  const before = JSON.parse((await readSetting(tx, NAME))!) as Retention;
  const after = toRetention(before, current);
  if (after.next !== null && (before.next === null || after.next.days < before.next.days))
    await announce(tx, before.days, { ...current, at: after.next.at });
  await writeSetting(tx, NAME, JSON.stringify(after));
  return after.days;
}

function toRetention({ days: inEffect, next }: Retention, { days, now }: Current): Retention {
  if (days >= inEffect) return { days, next: null };
  // More days than those that were announced need no time of their own.
  const at = next !== null && days >= next.days ? next.at : now + DELAY_MS;
  return at <= now ? { days, next: null } : { days: inEffect, next: { days, at } };
}

async function announce(
  tx: Tx,
  from: number,
  { days, operatorEmail, at, now }: Current & { readonly at: number },
): Promise<void> {
  const details = { from, to: days, effective_at: formatTimestamp(at) };
  await recordEvent(tx, { type: 'events.retention_shortened', subject: 'settings', details, now });
  if (operatorEmail === null) return;
  const kind = 'retention_shortened';
  const data = { days: String(days) };
  await enqueueMail(tx, { kind, userId: null, email: operatorEmail, isByAdministrator: true, data, now });
}

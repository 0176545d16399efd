/** Groups new users, so that a wave of them shows where it comes from. */
import type { Reader } from '../../database/database.ts';
import { toStoredAddress } from '../../lib/network.ts';
import { readSalted } from '../events/chain/chain.ts';
import { findRange } from '../events/list/list-events.ts';
import { readChain } from '../events/queries.ts';
import { readCreations, readNewEmails } from './queries.ts';

/** Rows that one request reads: about 20 ms of work. */
export const MAX_READ = 10_000;
export const MAX_GROUPS = 50;

export const GROUPINGS = ['domain', 'network'] as const;

/** Epoch milliseconds; `to` is not included. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** Returns the largest groups of the newest users, and whether all users of the span were read. */
export async function groupSignUps(reader: Reader, by: (typeof GROUPINGS)[number], span: Span) {
  const { values, isComplete } = await (by === 'domain' ? readDomains : readNetworks)(reader, span);
  const counts = new Map<string | null, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const groups = [...counts].map(([value, count]) => ({ value, count }));
  groups.sort((a, b) => b.count - a.count || (String(a.value) < String(b.value) ? -1 : 1));
  return { counted: values.length, is_complete: isComplete, groups: groups.slice(0, MAX_GROUPS) };
}

async function readDomains(reader: Reader, span: Span) {
  const rows = await readNewEmails(reader, { ...span, limit: MAX_READ + 1 });
  const values = rows
    .slice(0, MAX_READ)
    .map(({ email }) => (email === null ? null : email.slice(email.lastIndexOf('@') + 1)));
  return { values, isComplete: rows.length <= MAX_READ };
}

/** Events of creation have the network; users do not. */
async function readNetworks(reader: Reader, span: Span) {
  const range = await findRange(reader, span, await readChain(reader));
  const rows = await readCreations(reader, { type: 'user.created', ...range, limit: MAX_READ + 1 });
  const values = rows
    .slice(0, MAX_READ)
    .filter(({ created_at }) => created_at >= span.from && created_at < span.to)
    .map(({ network }) => toPrefix(readSalted(network)));
  return { values, isComplete: rows.length <= MAX_READ };
}

/** Returns the /24 or /48, as which addresses may be stored already. */
function toPrefix(address: string | null): string | null {
  return address && (toStoredAddress(address, 'prefix') ?? address);
}

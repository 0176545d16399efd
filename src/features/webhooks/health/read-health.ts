/** Reads how the deliveries of an endpoint go. */
import type { Reader } from '../../../database/database.ts';
import type { EndpointRow } from '../queries.ts';
import { countMissed, countPending, countRecent } from './queries.ts';

export async function readHealth(reader: Reader, { id, failing_since }: EndpointRow, now: number) {
  const recent = await countRecent(reader, id, now);
  const { pending, attempted } = await countPending(reader, id);
  const missed =
    failing_since === null ? 0 : await countMissed(reader, { endpointId: id, since: failing_since });
  return { recent, pending, undelivered: failing_since === null ? 0 : missed + attempted };
}

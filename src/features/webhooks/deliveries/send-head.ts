/** Sends the head of the record of events to receivers that keep it where the operator of the database cannot write. */
import type { Database } from '../../../database/database.ts';
import { newId } from '../../../lib/secrets/ids.ts';
import type { ChainPosition } from '../../events/verify/verify-chain.ts';
import { listEndpoints } from '../queries.ts';
import { enqueueDeliveries } from './enqueue-deliveries.ts';

const TYPE = 'events.head';

/** Makes a delivery for each enabled endpoint whose types name it: it is no event of the record. */
export async function sendHead(database: Database, head: ChainPosition, now: number): Promise<void> {
  const endpoints = (await listEndpoints(database)).filter(
    ({ enabled, types }) => enabled === 1 && types !== null && JSON.parse(types).includes(TYPE),
  );
  const message = { type: TYPE, subject: null, sequence: null, created_at: now } as const;
  const { number, digest: headDigest } = head;
  for (const { id: endpointId } of endpoints)
    await database.transaction((tx) =>
      enqueueDeliveries(tx, { endpointId, now }, [{ ...message, id: newId(), number, headDigest }]),
    );
}

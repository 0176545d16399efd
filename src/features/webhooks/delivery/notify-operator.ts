/** Tells the operator that an endpoint was disabled, by a message that is queued in the same transaction. */
import { enqueueMail } from '../../mail/enqueue-mail.ts';
import { findEndpoint } from '../queries.ts';
import type { NotifyOperator } from './store-outcome.ts';

/** Without an address, the line in the log is all. */
export function createNotifyOperator(email: string | null): NotifyOperator {
  return async (tx, { endpointId, reason, now }) => {
    const endpoint = await findEndpoint(tx, endpointId);
    if (email === null || endpoint === undefined) return;
    // Without the query of the URL, which may contain a secret.
    const { origin, pathname } = new URL(endpoint.url);
    const data = { url: origin + pathname, reason };
    await enqueueMail(tx, {
      kind: 'webhook_disabled',
      userId: null,
      email,
      isByAdministrator: true,
      data,
      now,
    });
  };
}

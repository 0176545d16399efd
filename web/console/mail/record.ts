/** Messages to users, as the API returns them. */
import type { Mail } from '../../common/api-types.ts';
import { withQuery } from '../../common/router.tsx';
import type { Filter } from '../records/filters.tsx';
import { createRecords } from '../records/requests.ts';

export const messages = createRecords<Mail>('/api/v1/admin/mail', 'message', '/console/mail');

export function linkToMail(filter: Filter): string {
  return withQuery(messages.page, filter);
}

export const STATES: Readonly<Record<Mail['state'], string>> = {
  waiting: 'Waiting',
  sending: 'Sending',
  sent: 'Sent',
  failed: 'Failed',
  dropped: 'Skipped',
  cancelled: 'Cancelled',
};

/** The state in a word. A message that has expired has failed as well, for the API and its filter. */
export function nameState({ state, reason }: Pick<Mail, 'state' | 'reason'>): string {
  return reason === 'expired' ? 'Expired' : STATES[state];
}

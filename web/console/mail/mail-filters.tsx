/** The filters of the messages. */
import type { Mail } from '../../common/api-types.ts';
import { withQuery } from '../../common/router.tsx';
import { choiceField, hoursAgo, searchField, timeField } from '../records/filter-fields.tsx';
import { createFilters, type Filter } from '../records/filters.tsx';

export const MAIL = '/console/mail';
export const API_PATH = '/api/v1/admin/mail';

export function linkToMail(filter: Filter): string {
  return withQuery(MAIL, filter);
}

const STATES: Readonly<Record<Mail['state'], string>> = {
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

/** With what a word alone does not tell. */
const CHOICES = { ...STATES, failed: 'Failed or expired' };

export const mailFilters = createFilters(MAIL, [
  searchField('recipient', {
    label: 'Recipient',
    placeholder: 'Recipient, or a part of the address',
    chip: 'To',
  }),
  choiceField('state', { label: 'State', options: CHOICES }),
  timeField(['from', 'to'], {
    label: 'Time',
    chips: ['From', 'Until'],
    spans: {
      'Last hour': () => hoursAgo(1),
      'Last 24 hours': () => hoursAgo(24),
      'Last 7 days': () => hoursAgo(7 * 24),
    },
  }),
]);

/** The filters of the messages. */
import type { Mail } from '../../common/api-types.ts';
import { withQuery } from '../../common/router.tsx';
import { choiceField, hoursAgo, searchField, timeField } from '../list/filter-fields.tsx';
import { createFilters, type Filter } from '../list/filters.tsx';

export const MAIL = '/console/mail';
export const API_PATH = '/api/v1/admin/mail';

export function linkToMail(filter: Filter): string {
  return withQuery(MAIL, filter);
}

export const STATES: Readonly<Record<Mail['state'], string>> = {
  waiting: 'Waiting',
  sending: 'Being sent',
  sent: 'Sent',
  failed: 'Failed',
  dropped: 'Not sent',
  cancelled: 'Cancelled',
};

export const mailFilters = createFilters(MAIL, [
  searchField('recipient', {
    label: 'Recipient',
    placeholder: 'Recipient, or a part of the address',
    chip: 'To',
  }),
  choiceField('state', { label: 'State', options: STATES }),
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

/** The filters of the messages in the URL. */
import type { Mail } from '../../common/api-types.ts';
import { withQuery } from '../../common/router.tsx';

export const MAIL = '/console/mail';
export const API_PATH = '/api/v1/admin/mail';

export type MailState = Mail['state'];

export const STATES: Readonly<Record<MailState, string>> = {
  waiting: 'Waiting',
  sending: 'Being sent',
  sent: 'Sent',
  failed: 'Failed',
  dropped: 'Not sent',
  cancelled: 'Cancelled',
};

/** Null for any. */
export interface MailFilter {
  readonly state: string | null;
  /** An address, or a part of one. */
  readonly recipient: string | null;
  /** Times (RFC 3339): `from` is included, `to` is not. */
  readonly from: string | null;
  readonly to: string | null;
}

/** Unknown values are those of another release, or typed: they count as absent. */
export function readFilter(query: URLSearchParams): MailFilter {
  const state = query.get('state');
  return {
    state: state !== null && Object.hasOwn(STATES, state) ? state : null,
    recipient: query.get('recipient')?.trim() || null,
    from: readTime(query.get('from')),
    to: readTime(query.get('to')),
  };
}

function readTime(text: string | null): string | null {
  const time = Date.parse(text ?? '');
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}

export function linkToMail(filter: Partial<MailFilter>): string {
  return withQuery(MAIL, { ...filter });
}

export function isFiltered(filter: MailFilter): boolean {
  return Object.values(filter).some((value) => value !== null);
}

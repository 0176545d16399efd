import { prepareAll } from '../../../database/prepare.ts';

interface Span {
  /** Epoch milliseconds, included. */
  readonly from: number;
  /** Epoch milliseconds, not included. */
  readonly to: number;
  readonly limit: number;
}

/** Returns the normalized emails of the newest users of a span. */
export const readNewEmails = prepareAll<{ email: string | null }, Span>(`
  select email_key as email from users
  where created_at >= $from and created_at < $to order by created_at desc, id desc limit $limit`);

/** Returns times and salted networks of the newest creations of users among these numbers of events. */
export const readCreations = prepareAll<
  { created_at: number; network: string | null },
  { type: 'user.created'; low: number; high: number; limit: number }
>(`
  select created_at, network from events
  where (type, number) > ($type, $low) and (type, number) <= ($type, $high) and number is not null
  order by type desc, number desc limit $limit`);

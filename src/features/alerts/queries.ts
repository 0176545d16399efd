import { prepareAll, prepareGet } from '../../database/prepare.ts';

/** Returns the forms with submissions that are held, with their number and the first, reading `limit` of them at most. */
export const countHeldByForm = prepareAll<
  { id: string; title: string; held: number; since: number },
  [limit: number]
>(`
  select forms.id, forms.title, counted.held, counted.since
  from (
    select form_id, count(*) as held, min(received_at) as since
    from (
      select form_id, received_at from form_submissions
      where held = 1 order by form_id, received_at, id limit $1) as waiting
    group by form_id) as counted
  cross join forms where forms.id = counted.form_id and forms.state <> 'deleted'
  order by counted.since`);

/** Counts the messages that were queued since `from` and have failed for good, the newest `limit` at most. */
export const countFailedMail = prepareGet<
  { failed: number; since: number | null },
  { from: number; limit: number }
>(`
  select count(*) as failed, min(ended_at) as since
  from (
    select ended_at from mail_messages
    where (state, created_at) >= ('failed', $from) and state = 'failed'
    order by state desc, created_at desc, id desc limit $limit) as newest`);

export interface FailedLoginRow {
  readonly created_at: number;
  readonly subject: string | null;
  readonly reason: string | null;
  readonly data: string | null;
}

/** Returns the newest failures of which the number is higher. */
export const listFailures = prepareAll<FailedLoginRow & { type: string }, [low: number, limit: number]>(`
  select type, created_at, subject, reason, data from events
  where outcome = 'failure' and number > $1 order by number desc limit $2`);

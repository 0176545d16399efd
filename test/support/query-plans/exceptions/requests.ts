/** Statements that read stored responses, rate limits and failed attempts. */
import { BATCH, EXPORT, type Exception } from './exception.ts';

const OWN_RESPONSES = 'reads the responses to requests of one user';

export const REQUESTS: readonly Exception[] = [
  {
    statement:
      'delete from idempotency_keys where id in ( select id from idempotency_keys where expires_at <= $1',
    findings: ['reads a range of idempotency_keys by idempotency_keys_expires_at'],
    reason: BATCH,
  },
  {
    statement: 'delete from rate_limits where key in (',
    findings: ['reads a range of rate_limits by rate_limits_tat'],
    reason: BATCH,
  },
  {
    statement: 'delete from failed_attempts where key in (',
    findings: ['reads a range of failed_attempts by failed_attempts_touched_at'],
    reason: BATCH,
  },
  {
    statement: "delete from idempotency_keys where state = 'in_progress'",
    findings: ['reads all of idempotency_keys by idempotency_keys_in_progress'],
    reason: 'the index has only the claims in progress, all of which are deleted',
  },
  {
    statement: 'select id, fingerprint, salt, sealed from idempotency_keys',
    findings: ['sorts'],
    reason: 'sorts two rows at most: both conditions are those of a unique index',
  },
  {
    statement: 'select id from idempotency_keys where user_id = $1 limit $2',
    findings: ['reads the rows of one user of idempotency_keys by idempotency_keys_user'],
    reason: BATCH,
  },
  {
    statement: 'select route, expires_at from idempotency_keys where user_id = $1 limit $2',
    findings: ['reads the rows of one user of idempotency_keys by idempotency_keys_user'],
    reason: EXPORT,
  },
  {
    statement: 'select id from idempotency_keys where scope >= $1 and scope < $2',
    findings: ['reads a range of idempotency_keys by idempotency_keys_user_scope'],
    reason: OWN_RESPONSES,
  },
  {
    statement: 'select route, expires_at from idempotency_keys where scope >= $1 and scope < $2',
    findings: ['reads a range of idempotency_keys by idempotency_keys_user_scope'],
    reason: OWN_RESPONSES,
  },
];

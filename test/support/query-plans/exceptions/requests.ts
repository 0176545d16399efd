/** Statements that read stored responses, rate limits and failed attempts. */
import { BATCH, EXPORT, type Exception, except } from './exception.ts';

const OF_ACCOUNT = 'reads the failed attempts at one account, from each network';
const BY_KEY = 'range of failed_attempts';
const OWN_RESPONSES = 'reads the responses to requests of one user';

export const REQUESTS: readonly Exception[] = [
  ...except(BATCH, {
    'where id in ( select id from idempotency_keys where expires_at': 'range of idempotency_keys_expires_at',
    'delete from rate_limits where key in (': 'range of rate_limits_tat',
    'delete from failed_attempts where key in (': 'range of failed_attempts_touched_at',
    'select id from idempotency_keys where user_id = $1 limit': 'rows of one user in idempotency_keys_user',
  }),
  ...except('the index has only the claims in progress, all of which are deleted', {
    "delete from idempotency_keys where state = 'in_progress'": 'all of idempotency_keys_in_progress',
  }),
  ...except('sorts two rows at most: both conditions are those of a unique index', {
    'select id, fingerprint, salt, sealed from idempotency_keys': 'sorts',
  }),
  ...except(EXPORT, {
    'route, expires_at from idempotency_keys where user_id = $1': 'rows of one user in idempotency_keys_user',
  }),
  ...except(OWN_RESPONSES, {
    'select id from idempotency_keys where scope >= $1 and scope <': 'range of idempotency_keys_user_scope',
    'expires_at from idempotency_keys where scope >= $1 and scope <': 'range of idempotency_keys_user_scope',
  }),
  ...except(OF_ACCOUNT, { 'delete from failed_attempts where key >= $1': BY_KEY }),
  ...except(OF_ACCOUNT, { 'select coalesce(max(cast(greatest(wait_until': BY_KEY }, 'postgres'),
];

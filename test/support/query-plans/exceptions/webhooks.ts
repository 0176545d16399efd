/** Statements that read deliveries of webhooks. */
import { BATCH, type Exception, except } from './exception.ts';

const PAGE = 'reads a page in the order of the index';
const BY_ENDPOINT = 'reads a range of webhook_deliveries by webhook_deliveries_endpoint';
const BY_STATE = 'reads a range of webhook_deliveries by webhook_deliveries_state';

export const WEBHOOKS: readonly Exception[] = [
  ...except(PAGE, {
    'finished_at from webhook_deliveries where endpoint_id = $1 and id < $2': [BY_ENDPOINT],
    'finished_at from webhook_deliveries where endpoint_id = $1 and state = $2 and id < $3': [BY_STATE],
  }),
  ...except('counts 10,000 deliveries of an endpoint at most', {
    'select id from webhook_deliveries where endpoint_id = $1 and state = $2 order by id desc limit 1': [
      BY_STATE,
    ],
  }),
  ...except('reads 100 deliveries of an endpoint', {
    'select state, created_at from webhook_deliveries where endpoint_id = $1 order by id desc limit 100': [
      BY_ENDPOINT,
    ],
  }),
  ...except('reads 10,000 deliveries of an endpoint at most', {
    'select attempts from webhook_deliveries where endpoint_id = $1 and state = $2 order by id desc limit 10000':
      [BY_STATE],
    "select id, endpoint_id from webhook_deliveries where endpoint_id = $1 and state = 'failed'": [BY_STATE],
    "(select id from webhook_deliveries where endpoint_id = $1 and state = 'failed'": [BY_STATE],
    'update jobs set next_attempt_at = $2 where endpoint_id = $1 and next_attempt_at > $2':
      'reads a range of jobs by jobs_endpoint',
  }),
  ...except(BATCH, {
    "select id from webhook_deliveries where endpoint_id = $1 and state = 'delivered' and id <= $2 order by id":
      [BY_STATE],
    'select id from webhook_deliveries where endpoint_id = $1 order by id limit $2': [BY_ENDPOINT],
    'select id from webhook_deliveries where state = $1 and finished_at < $2 order by finished_at':
      'reads a range of webhook_deliveries by webhook_deliveries_finished_at',
  }),
  ...except('reads one row', {
    'select endpoint_id from webhook_deliveries where endpoint_id > $1 order by endpoint_id limit 1': [
      BY_ENDPOINT,
    ],
  }),
  ...except('reads 500 rows of the table at a time, about once an hour', {
    'select id, type, subject, state from webhook_deliveries where id > $1 order by id limit $2':
      'reads a range of webhook_deliveries by PRIMARY KEY',
  }),
  ...except('reads one row for each of at most 50 endpoints', {
    '(select next_attempt_at from jobs where endpoint_id = webhook_endpoints.id order by next_attempt_at':
      'reads a range of jobs by jobs_endpoint',
  }),
];

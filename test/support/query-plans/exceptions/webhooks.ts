/** Statements that read deliveries of webhooks. */
import { BATCH, type Exception, except } from './exception.ts';

const PAGE = 'reads a page in the order of the index';
const BY_ENDPOINT = 'range of webhook_deliveries_endpoint';
const BY_STATE = 'range of webhook_deliveries_state';

export const WEBHOOKS: readonly Exception[] = [
  ...except(PAGE, {
    'finished_at from webhook_deliveries where endpoint_id = $1 and id < $2': [BY_ENDPOINT],
    'finished_at from webhook_deliveries where endpoint_id = $1 and state = $2 and id < $3': [BY_STATE],
  }),
  ...except('counts 10,000 deliveries of an endpoint at most', {
    'id from webhook_deliveries where endpoint_id = $1 and state = $2 order by id desc limit 1': [BY_STATE],
  }),
  ...except('reads 100 deliveries of an endpoint', {
    'select state, created_at from webhook_deliveries where endpoint_id = $1 order by id desc': [BY_ENDPOINT],
  }),
  ...except('reads 10,000 deliveries of an endpoint at most', {
    'from webhook_deliveries where endpoint_id = $1 and state = $2 order by id desc limit 10000': [BY_STATE],
    "select id, endpoint_id from webhook_deliveries where endpoint_id = $1 and state = 'failed'": [BY_STATE],
    "(select id from webhook_deliveries where endpoint_id = $1 and state = 'failed'": [BY_STATE],
    'jobs set next_attempt_at = $2 where endpoint_id = $1 and next_attempt_at > $2': 'range of jobs_endpoint',
  }),
  ...except(BATCH, {
    "select id from webhook_deliveries where endpoint_id = $1 and state = 'delivered' and id <=": [BY_STATE],
    'select id from webhook_deliveries where endpoint_id = $1 order by id limit $2': [BY_ENDPOINT],
    'id from webhook_deliveries where state = $1 and finished_at': 'range of webhook_deliveries_finished_at',
  }),
  ...except('reads one row', {
    'endpoint_id from webhook_deliveries where endpoint_id > $1 order by endpoint_id limit 1': [BY_ENDPOINT],
  }),
  ...except('reads 500 rows of the table at a time, about once an hour', {
    'id, type, subject, state from webhook_deliveries where id > $1 order by': 'range of webhook_deliveries',
  }),
  ...except('reads one row for each of at most 50 endpoints', {
    'next_attempt_at from jobs where endpoint_id = webhook_endpoints.id order by': 'range of jobs_endpoint',
  }),
];

/** Statements that read events and known networks. */
import { BATCH, EXPORT, type Exception, except } from './exception.ts';

const PAGE = 'reads a page in the order of the index';
const UNNUMBERED = 'the index has only the events without a number, and they are read in batches';

/** The same on a PostgreSQL that has not yet analysed the table, whose planner cannot tell frequent types from others. */
const UNANALYSED: readonly Exception[] = ['asc', 'desc'].flatMap((direction) =>
  ['limit 1000', 'limit 1 offset 999'].map((end) => ({
    statement: `(type, number) <= ($1, $3) and number is not null order by type ${direction}, number ${direction} ${end}`,
    findings: ['sorts', 'all of events_subject_type'],
    reason: 'without statistics only: autovacuum makes them within a minute',
    engine: 'postgres' as const,
  })),
);

/** Pages of lists of events, by the index of their condition. */
const LISTS: readonly Exception[] = Object.entries({
  events_failures: 'cast($1 as text) is not null and number > $2 and number <= $3 order by number',
  events_number: 'cast($1 as text) is null and number > $2 and number <= $3 order by number',
  events_type: '(type, number) <= ($1, $3) and number is not null order by type',
  events_actor: "(actor, number) <= ($1, $3) and number is not null and actor <> 'user' order by actor",
  events_actor_id:
    '(actor_id, number) <= ($1, $3) and number is not null and actor_id is not null order by actor_id',
}).flatMap(([index, found]) =>
  ['asc', 'desc'].flatMap((direction) =>
    ['limit 1000', 'limit 1 offset 999'].map((end) => {
      const order = found.endsWith('by number') ? direction : `${direction}, number ${direction}`;
      return {
        statement: `${found} ${order} ${end}`,
        findings: [`range of ${index}`],
        reason: 'examines 1,000 events at most, in the order of the index',
      };
    }),
  ),
);

export const EVENTS: readonly Exception[] = [
  ...except('reads the 10,001 newest creations of users at most', {
    'select created_at, network from events where (type, number) > ($1, $2)': 'range of events_type',
  }),
  ...except(
    'without statistics only: autovacuum makes them within a minute',
    {
      'select created_at, network from events where (type, number) > ($1, $2)': [
        'sorts',
        'all of events_subject_type',
      ],
      "where type = 'user.created' and number > $1 and mark is null": 'range of events_actor',
    },
    'postgres',
  ),
  ...except('reads the 1,001 newest failures at most', {
    'select type, created_at, subject, reason, data from events where outcome =': 'range of events_failures',
  }),
  ...except(
    'reads a window of 10,000 events at most',
    {
      'created_at, type, subject, data from events where type = $1 and number > $2': 'range of events_number',
    },
    'postgres',
  ),
  ...LISTS,
  ...UNANALYSED,
  ...except(PAGE, {
    'number, digest from events where number > $1 and number <= $2 order by number': 'range of events_number',
    'digest, mark from events where number > $1 order by number limit $2': 'range of events_number',
  }),
  ...except('reads one row', {
    'select number from events where created_at <= $1 and number is not null': 'range of events_created_at',
    'select number from events where created_at >= $1 and number is not null': 'range of events_created_at',
    'select created_at from events where number > $1 and created_at + 0 <= $2': 'range of events_number',
    'select due_at from event_counts where due_at <= $1': 'range of event_counts_due',
  }),
  ...except(
    'without statistics only: autovacuum makes them within a minute',
    {
      'select id from events where subject = $1 and (network is not null or device is not null)': 'sorts',
    },
    'postgres',
  ),
  ...except(BATCH, {
    'select id from events where network is not null and created_at < $1': 'range of events_network',
    'select number, digest, created_at, type, subject from events where number > 0': 'range of events_number',
    'delete from events where number > 0 and number <= $1': 'range of events_number',
    'update event_counts set recorded_before = recorded': 'range of event_counts_due',
    'select hour, count_key from event_counts where hour < $1': 'range of event_counts',
    'select user_id, network from known_networks where last_login_at < $1': 'range of known_networks_age',
    'user_id, network from known_networks where user_id = $1 order by': 'rows of one user in known_networks',
  }),
  ...except(UNNUMBERED, {
    'select id from events where number is null and id > $1 order by id limit': 'range of events_unnumbered',
    'actor, actor_id, outcome, reason, data, network, device, mark from events': 'range of events_unnumbered',
  }),
  ...except(
    'with the statistics of these sample rows only: each user has one network there',
    {
      'in ( select user_id, network from known_networks where last': 'rows of one user in known_networks',
    },
    'sqlite',
  ),
  ...except('reads two rows at most', {
    '1 as one from known_networks where user_id = $1 and network <> $2': 'rows of one user in known_networks',
  }),
  ...except(EXPORT, {
    'first_login_at, last_login_at from known_networks where user_id =': 'rows of one user in known_networks',
  }),
];

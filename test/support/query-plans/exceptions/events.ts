/** Statements that read events and known networks. */
import { BATCH, EXPORT, type Exception } from './exception.ts';

const PAGE = 'reads a page in the order of the index';
const UNNUMBERED = 'the index has only the events without a number, and they are read in batches';

/** The same on a PostgreSQL that has not yet analysed the table, whose planner cannot tell frequent types from others. */
const UNANALYSED: readonly Exception[] = ['asc', 'desc'].flatMap((direction) =>
  ['limit 1000', 'limit 1 offset 999'].map((end) => ({
    statement: `(type, number) <= ($1, $3) and number is not null order by type ${direction}, number ${direction} ${end}`,
    findings: ['sorts', 'reads all of events by events_subject_type'],
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
        findings: [`reads a range of events by ${index}`],
        reason: 'examines 1,000 events at most, in the order of the index',
      };
    }),
  ),
);

export const EVENTS: readonly Exception[] = [
  ...LISTS,
  ...UNANALYSED,
  {
    statement: 'sequence, number from events where number > $1 and number <= $2 order by number limit $3',
    findings: ['reads a range of events by events_number'],
    reason: PAGE,
  },
  {
    statement: 'select number from events where created_at <= $1 and number is not null',
    findings: ['reads a range of events by events_created_at'],
    reason: 'reads one row',
  },
  {
    statement: 'select number from events where created_at >= $1 and number is not null',
    findings: ['reads a range of events by events_created_at'],
    reason: 'reads one row',
  },
  {
    statement: 'select id from events where subject = $1 and (network is not null or device is not null)',
    findings: ['sorts'],
    reason: 'without statistics only, and a user has 1,000 events at most',
    engine: 'postgres',
  },
  {
    statement: 'digest from events where number > $1 order by number limit $2',
    findings: ['reads a range of events by events_number'],
    reason: PAGE,
  },
  {
    statement: 'select id from events where network is not null and created_at < $1',
    findings: ['reads a range of events by events_network'],
    reason: BATCH,
  },
  {
    statement: 'select number, digest, created_at, type, subject from events where number > 0',
    findings: ['reads a range of events by events_number'],
    reason: BATCH,
  },
  {
    statement: 'delete from events where number > 0 and number <= $1',
    findings: ['reads a range of events by events_number'],
    reason: BATCH,
  },
  {
    statement: 'select id from events where number is null order by id limit 1',
    findings: ['reads all of events by events_unnumbered'],
    reason: UNNUMBERED,
  },
  {
    statement:
      'select id, created_at, type, subject, actor, actor_id, outcome, reason, data, network, device from events where number is null',
    findings: ['reads all of events by events_unnumbered'],
    reason: UNNUMBERED,
  },
  {
    statement: 'select hour from event_counts where hour < $1 limit 1',
    findings: ['reads a range of event_counts by PRIMARY KEY'],
    reason: 'reads one row',
  },
  {
    statement: 'select hour, count_key from event_counts where hour < $1',
    findings: ['reads a range of event_counts by PRIMARY KEY'],
    reason: BATCH,
  },
  {
    statement:
      'delete from known_networks where (user_id, network) in ( select user_id, network from known_networks where last',
    findings: ['reads the rows of one user of known_networks by PRIMARY KEY'],
    reason: 'with the statistics of these sample rows only: each user has one network there',
    engine: 'sqlite',
  },
  {
    statement: 'select user_id, network from known_networks where last_login_at < $1',
    findings: ['reads a range of known_networks by known_networks_age'],
    reason: BATCH,
  },
  {
    statement: 'select user_id, network from known_networks where user_id = $1 order by network limit $2',
    findings: ['reads the rows of one user of known_networks by PRIMARY KEY'],
    reason: BATCH,
  },
  {
    statement: 'select 1 as one from known_networks where user_id = $1 and network <> $2 limit 1',
    findings: ['reads the rows of one user of known_networks by PRIMARY KEY'],
    reason: 'reads two rows at most',
  },
  {
    statement: 'select first_login_at, last_login_at from known_networks where user_id = $1 limit $2',
    findings: ['reads the rows of one user of known_networks by PRIMARY KEY'],
    reason: EXPORT,
  },
];

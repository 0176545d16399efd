/** Statements that read security events and known networks. */
import { BATCH, EXPORT, type Exception } from './exception.ts';

export const EVENTS: readonly Exception[] = [
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
    statement:
      'delete from security_events where id in ( select id from security_events where created_at < $1',
    findings: ['reads a range of security_events by security_events_created_at'],
    reason: BATCH,
  },
  {
    statement: 'order by security_events.created_at desc limit $1',
    findings: ['reads all of security_events by security_events_created_at'],
    reason: 'reads the last 100 rows at most',
  },
  {
    statement: 'update security_events set occurrences = occurrences + 1',
    findings: ['reads a range of the rows of one user of security_events by security_events_kind'],
    reason: 'such events are stored once an hour',
  },
  {
    statement: 'select id from security_events where user_id = $1 order by id desc limit $2 offset $3',
    findings: ['reads the rows of one user of security_events by security_events_user'],
    reason: 'reads the newest 1,020 rows at most',
  },
  {
    statement: 'last_at from security_events where user_id = $1 order by id desc limit $2',
    findings: ['reads the rows of one user of security_events by security_events_user'],
    reason: EXPORT,
  },
  {
    statement: 'select created_at from security_events where user_id = $1 and kind = $2 and created_at > $3',
    findings: ['reads a range of the rows of one user of security_events by security_events_kind'],
    reason: 'reads 5 rows at most',
  },
  {
    statement: 'select id from security_events where user_id = $1 and id > $2 order by id limit $3',
    findings: ['reads a range of the rows of one user of security_events by security_events_user'],
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

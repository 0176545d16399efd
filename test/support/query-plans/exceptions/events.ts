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

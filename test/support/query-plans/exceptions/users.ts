/** Statements that read user records. */
import type { Exception } from './exception.ts';

const PAGE = 'reads a page in the order of the index';
const ERASED = 'an erasure has deleted all but a batch of these rows';

/** Rows that refer to a deleted user: SQLite alone has them in its plans. */
const CASCADES = [
  'reads the rows of one user of jobs by jobs_user',
  'reads the rows of one user of known_networks by PRIMARY KEY',
  'reads the rows of one user of idempotency_keys by idempotency_keys_user',
];

export const USERS: readonly Exception[] = [
  {
    statement: 'users.version from users where id > $1 order by id',
    findings: ['reads a range of users by PRIMARY KEY'],
    reason: PAGE,
  },
  {
    statement: 'select id, password_hash from users where id > $1 order by id limit $4',
    findings: ['reads a range of users by PRIMARY KEY'],
    reason: PAGE,
  },
  {
    statement: "select password_hash from users where state = 'active' and password_hash is not null",
    findings: ['reads a range of users by users_state'],
    reason: 'every active user has a password, so it reads the first one',
  },
  {
    statement: 'from users where id > $1 and state = $3 order by id',
    findings: ['reads a range of users by users_state'],
    reason: PAGE,
  },
  {
    statement: 'users.version from users where id < $1 order by id desc',
    findings: ['reads a range of users by PRIMARY KEY'],
    reason: PAGE,
  },
  {
    statement: 'from users where id < $1 and state = $3 order by id desc',
    findings: ['reads a range of users by users_state'],
    reason: PAGE,
  },
  {
    statement: 'from users where (email_key, id) > ($1, $2) and email_key < $3',
    findings: ['reads a range of users by users_email'],
    reason: PAGE,
  },
  {
    statement: 'from users where (name_key, id) > ($1, $2) and name_key < $3',
    findings: ['reads a range of users by users_name'],
    reason: PAGE,
  },
  {
    statement: 'select id, name from users where id > $1 and name is not null order by id limit 500',
    findings: ['reads a range of users by PRIMARY KEY'],
    reason: 'a migration reads all users once, one batch at a time',
  },
  {
    statement: 'select count(*) as total from users where name is not null',
    findings: ['reads all of users'],
    reason: 'a migration reads all users once',
  },
  {
    statement:
      "update users set version = version where id in ( select id from users where state = 'unclaimed'",
    findings: ['reads a range of users by users_abandoned'],
    reason: 'reads only what it locks, one batch at a time',
  },
  {
    statement: 'delete from users where id = $1 returning',
    findings: CASCADES,
    reason: ERASED,
    engine: 'sqlite',
  },
  {
    statement: 'delete from users where id in (select user_id from given)',
    findings: CASCADES,
    reason: ERASED,
    engine: 'sqlite',
  },
  {
    statement: 'select max(id) as id from (select id from users where id > $1 order by id limit 200)',
    findings: ['reads a range of users by PRIMARY KEY'],
    reason: PAGE,
  },
];

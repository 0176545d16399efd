/** Statements that read user records. */
import { type Exception, except } from './exception.ts';

const CANDIDATES = 'reads 5,001 ids at most, from the index alone';
const PAGE = 'reads a page in the order of the index';
const ERASED = 'an erasure has deleted all but a batch of these rows';

/** Rows that refer to a deleted user: SQLite alone has them in its plans. */
const CASCADES = [
  'rows of one user in jobs_user',
  'rows of one user in known_networks',
  'rows of one user in idempotency_keys_user',
  'rows of one user in form_submissions_user',
];

/** Orders of users who match a filter: the columns, and the ranks of users without a value. */
const SORTED = ['created_at', 'last_login_at', 'name_key', 'email_key'].flatMap((column) => [
  `${column} is null then 1 else 0 end asc`,
  `${column} is null then 0 else 1 end desc`,
]);

export const USERS: readonly Exception[] = [
  ...SORTED.map((order) => ({
    statement: `order by case when ${order}`,
    findings: ['sorts'],
    reason: 'sorts users by given ids, 5,001 at most',
  })),
  ...except('reads the 10,001 newest users at most', {
    'select email_key as email from users where created_at >= $1 and created_at': 'range of users_created_at',
  }),
  ...except(PAGE, {
    'select id, password_hash from users where id > $3 order by id limit $4': 'range of users',
    'from users where (email_key, id) > ($1, $2) and email_key < $3': 'range of users_email',
    'from users where (name_key, id) > ($1, $2) and name_key < $3': 'range of users_name',
    'select max(id) as id from (select id from users where id > $1 order by id limit 200)': 'range of users',
    'from users where (created_at, id) > ($1, $2) and created_at < $3': 'range of users_created_at',
    'from users where (last_login_at, id) > ($1, $2) and last_login_at < $3': 'range of users_last_login_at',
    'from users where (created_at, id) < ($1, $2) and created_at >= $3': 'range of users_created_at',
    'from users where (last_login_at, id) < ($1, $2) and last_login_at >= $3': 'range of users_last_login_at',
    'from users where (name_key, id) < ($1, $2) and name_key >= $3': 'range of users_name',
    'from users where (email_key, id) < ($1, $2) and email_key >= $3': 'range of users_email',
    'from users where (state, created_at, id) > ($5, $1, $2)': 'range of users_state',
    'from users where (state, created_at, id) < ($5, $1, $2)': 'range of users_state',
  }),
  ...except('reads the next group in the order of the index', {
    'select group_id from group_members where group_id > $1': 'range of group_members_group',
  }),
  ...except('reads only what it locks, one batch at a time', {
    'update users set version = version where id in ( select id from users where': 'range of users_abandoned',
    'update users set metadata_generation = null where id in (': 'range of users_metadata_generation',
  }),
  ...except(
    ERASED,
    {
      'delete from users where id = $1 returning': CASCADES,
      'delete from users where id in (select user_id from given)': CASCADES,
    },
    'sqlite',
  ),
  ...except(
    'reads rows only if foreign keys are violated, which none are',
    { 'version) select id,name': CASCADES, 'app_metadata, updated_at, version) values': CASCADES },
    'sqlite',
  ),
  ...except('every active user has a password, so it reads the first one', {
    "select password_hash from users where state >= 'active' and state <= 'active'": 'range of users_state',
  }),
  ...except(CANDIDATES, {
    'select id from users where id >= $1 and id < $2': 'range of users',
    'select id from users where created_at >= $1 and created_at < $2': 'range of users_created_at',
    'select id from users where last_login_at >= $1 and last_login_at < $2': 'range of users_last_login_at',
    'select users.id from users where metadata_generation >= 0 order': 'range of users_metadata_generation',
    'select id from users where state >= $1 and state <= $1': 'range of users_state',
  }),
  {
    engine: 'sqlite',
    statement: 'from user_trigrams join user_texts',
    findings: ['matches of user_trigrams'],
    reason: 'reads 5,001 matches at most',
  },
  {
    engine: 'postgres',
    statement: 'select user_id as id from user_texts where text_trigrams(content) @>',
    findings: ['matches of user_texts_trigrams'],
    reason: 'is not used for terms that many of the first users of the list have',
  },
];

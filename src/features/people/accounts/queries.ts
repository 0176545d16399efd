import { prepareGet } from '../../../database/prepare.ts';

/** Returns the password hash of the active user who was created first. */
export const findOldestPasswordHash = prepareGet<{ password_hash: string }>(`
  select password_hash from users where state >= 'active' and state <= 'active'
    and password_hash is not null
  order by state limit 1`);

/** Finds a hash that begins with `prefix` among the next users by id. `last`: the last id of them, null after all users. */
export const searchHashes = prepareGet<
  { last: string | null; found: string | null },
  { after: string; prefix: string; length: number; limit: number }
>(`
  select max(id) as last, max(case when substr(password_hash, 1, $length) = $prefix then id end) as found
  from (select id, password_hash from users where id > $after order by id limit $limit) as batch`);

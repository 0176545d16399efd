/** Queries of the stock server, on a copy of the service's own file. */
import { hash } from 'node:crypto';
import SQLite from 'better-sqlite3';

interface UserRow {
  readonly id: string;
  readonly email_verified_at: number | null;
  readonly last_login_at: number | null;
  readonly totp_enabled_at: number | null;
  readonly created_at: number;
  readonly updated_at: number;
}

export function openUsers(file: string) {
  const sqlite = new SQLite(file);
  sqlite.pragma('journal_mode = WAL');
  const columns =
    'id, name, email, level, state, locale, zoneinfo, role, email_verified_at, last_login_at, totp_enabled_at, created_at, updated_at, version';
  const findToken = sqlite.prepare('select user_id from tokens where hash = ? and expires_at > ?');
  const findUser = sqlite.prepare(`select ${columns} from users where id = ?`);
  const listNames = sqlite.prepare(`
    select user_id, groups.name from group_members join groups on groups.id = group_id
    where user_id in (select value from json_each(?))`);
  const listUsers = sqlite.prepare(`select ${columns} from users where id > ? order by id limit ?`);
  return {
    findUserIdByToken(token: string): string | undefined {
      const found = findToken.get(hash('sha256', token, 'hex'), Date.now()) as
        | { user_id: string }
        | undefined;
      return found?.user_id;
    },
    find(id: string) {
      const found = findUser.get(id) as UserRow | undefined;
      return found && toView(found);
    },
    list(after: string, limit: number) {
      const found = listUsers.all(after, limit + 1) as UserRow[];
      const shown = found.slice(0, limit);
      const ids = JSON.stringify(shown.map(({ id }) => id));
      const names = listNames.all(ids) as { readonly user_id: string; readonly name: string }[];
      const groups = Map.groupBy(names, ({ user_id }) => user_id);
      const page = shown.map((user) => ({
        ...toView(user),
        groups: (groups.get(user.id) ?? []).map(({ name }) => name).sort(),
      }));
      return { page, nextCursor: found.length > limit ? page.at(-1)!.id : null };
    },
  };
}

function toView(user: UserRow) {
  const { email_verified_at: verifiedAt, last_login_at: loginAt, totp_enabled_at: totpAt } = user;
  return {
    ...user,
    email_verified_at: verifiedAt === null ? null : new Date(verifiedAt).toISOString(),
    last_login_at: loginAt === null ? null : new Date(loginAt).toISOString(),
    totp_enabled_at: totpAt === null ? null : new Date(totpAt).toISOString(),
    created_at: new Date(user.created_at).toISOString(),
    updated_at: new Date(user.updated_at).toISOString(),
    user_metadata: {},
    app_metadata: {},
  };
}

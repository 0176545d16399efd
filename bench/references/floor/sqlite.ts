/**
 * Floor on SQLite: one prepared statement per request, which returns the user as JSON. Written as JSON by SQLite, a
 * list costs less than as rows; a subquery costs less than a join or a second statement.
 */
import { hash } from 'node:crypto';
import SQLite from 'better-sqlite3';
import { formatList, formatMe, LIST_LENGTH, serveFloor } from './http.ts';

const USER = `'{"id":"' || id || '","name":' || json_quote(name) || ',"email":' || json_quote(email)
  || ',"level":' || json_quote(level) || ',"state":"' || state
  || '","locale":' || json_quote(locale) || ',"zoneinfo":' || json_quote(zoneinfo) || ',"role":' || json_quote(role)
  || ',"email_verified_at":' || json_quote(email_verified_at) || ',"last_login_at":' || json_quote(last_login_at)
  || ',"totp_enabled_at":' || json_quote(totp_enabled_at) || ',"created_at":"' || created_at
  || '","updated_at":"' || updated_at || '","version":' || version
  || ',"user_metadata":{},"app_metadata":{}'`;

const sqlite = new SQLite(process.env.DATABASE);
/** `end`: the last members of the user. Nobody is in a group here. */
const prepare = (condition: string, end = '}') =>
  sqlite.prepare(`select ${USER} || '${end}' from users ${condition}`).pluck();
const findByToken = prepare('where id = (select user_id from tokens where hash = ? and expires_at > ?)');
const listAfter = prepare('where id > ? order by id limit ?', ',"groups":[]}');

serveFloor({
  me(token) {
    const user = findByToken.get(hash('sha256', token, 'hex'), Date.now()) as string | undefined;
    return user && formatMe(user);
  },
  /** One user more than a page has shows whether there is a next page. */
  list: () => formatList(listAfter.all('', LIST_LENGTH + 1) as string[]),
});

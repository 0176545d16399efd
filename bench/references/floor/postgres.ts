/**
 * Floor on PostgreSQL: `pg` with one named statement per request, joined where two tables are needed. Rows arrive as
 * arrays of text, and become JSON here: JSON written by PostgreSQL costs a fifth more in total.
 */
import { hash } from 'node:crypto';
import pg from 'pg';
import { formatList, formatMe, formatOne, LIST_LENGTH, serveFloor } from './http.ts';

const COLUMNS = `u.id, u.name, u.email, u.level, u.state, u.email_verified_at, u.last_login_at, u.created_at, u.updated_at,
                 u.version::text`;
const ME = `select ${COLUMNS} from floor.tokens t join floor.users u on u.id = t.user_id
            where t.hash = $1 and t.expires_at > $2`;
const ONE = `select ${COLUMNS} from floor.users u where u.id = $1`;
const LIST = `select ${COLUMNS} from floor.users u where u.id > $1 order by u.id limit $2`;

type Text = string | null;
type UserRow = [string, Text, Text, Text, string, Text, Text, string, string, string];

// As many connections as the service has by default.
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });

async function query(name: string, text: string, values: unknown[]): Promise<string[]> {
  const { rows } = await pool.query<UserRow>({ name, text, values, rowMode: 'array' });
  return rows.map(formatUser);
}

function formatUser([
  id,
  name,
  email,
  level,
  state,
  verifiedAt,
  loginAt,
  createdAt,
  updatedAt,
  version,
]: UserRow) {
  const quoted = (text: Text) => (text === null ? 'null' : JSON.stringify(text));
  return (
    `{"id":"${id}","name":${quoted(name)},"email":${quoted(email)},"level":${quoted(level)},"state":"${state}",` +
    `"email_verified_at":${quoted(verifiedAt)},"last_login_at":${quoted(loginAt)},` +
    `"created_at":"${createdAt}","updated_at":"${updatedAt}",` +
    `"version":${version},"user_metadata":{},"app_metadata":{}}`
  );
}

serveFloor({
  async me(token) {
    const [user] = await query('me', ME, [hash('sha256', token, 'hex'), Date.now()]);
    return user && formatMe(user);
  },
  async one(id) {
    const [user] = await query('one', ONE, [id]);
    return user && formatOne(id, user);
  },
  list: async () => formatList(await query('list', LIST, ['', LIST_LENGTH + 1])),
});

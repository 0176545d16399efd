/** Statements for the rows of one user, from the registry of tables. */
import { type Reader, sql, type Tx, type Value } from '../../../database/database.ts';
import { prepareAll, prepareRun } from '../../../database/prepare.ts';
import type { JsonSchema } from '../../../lib/schema/json-schema.ts';
import { formatTimestamp } from '../../../lib/time.ts';
import type { ExportedRows, RowOwner } from './sign-in-tables.ts';
import { USER_TABLES } from './user-tables.ts';

type Row = Readonly<Record<string, string | number | null>>;

const DELETIONS = USER_TABLES.flatMap(({ name, key, order, unlinkedWhere }) => {
  const create = (verb: string, condition: string) =>
    sql(`
    ${verb} where (${key}) in (
      select ${key} from ${name} where user_id = $1${condition} ${order === undefined ? '' : `order by ${order} `}limit $2)`);
  const deletion = create(`delete from ${name}`, '');
  if (unlinkedWhere === undefined) return [deletion];
  return [create(`update ${name} set user_id = null`, ` and ${unlinkedWhere}`), deletion];
});

/** Forms count their submissions again: waits for who is counting them. */
const FORGET_ACCEPTED = sql(`
  update forms set accepted = null
  where max_submissions is not null and exists (select 1 from form_submissions where user_id = $1 and form_id = forms.id)`);

/** Deletes or unlinks at most `limit` rows of a user in the tables of the registry, and returns their number. */
export async function deleteRowsOfUser(tx: Tx, userId: string, limit: number): Promise<number> {
  let deleted = 0;
  await tx.run(FORGET_ACCEPTED, userId);
  for (const statement of DELETIONS) {
    if (deleted < limit) deleted += await tx.run(statement, userId, limit - deleted);
  }
  return deleted;
}

const EXPORTS = USER_TABLES.map(({ name, exported }) => {
  const columns = [...Object.keys(exported.columns), ...(exported.data === undefined ? [] : ['data'])];
  const select = (where: string, limit: string) =>
    sql<Row>(`select ${columns.join(', ')} from ${name} where ${where} limit ${limit}`);
  const own = select(`user_id = $1${exported.where === undefined ? '' : ` and ${exported.where}`}`, '$2');
  const { also } = exported;
  const count = also === undefined ? 0 : also.getValues({ id: '', emailKey: '' }).length;
  return { exported, own, also: also && { ...also, statement: select(also.where, `$${count + 1}`) } };
});

/** Reads the exported rows of a user, at most `limit` for each condition, as the lists of an export. */
export async function exportRowsOfUser(reader: Reader, owner: RowOwner, limit: number) {
  const lists: Record<string, object[]> = {};
  for (const { exported, own, also } of EXPORTS) {
    const rows = await reader.all(own, owner.id, limit);
    if (also !== undefined) rows.push(...(await reader.all(also.statement, ...also.getValues(owner), limit)));
    const { latestFirst = 'created_at' } = exported;
    lists[exported.member] = rows
      .sort((a, b) => Number(b[latestFirst]) - Number(a[latestFirst]))
      .map((row) => formatRow(row, exported));
  }
  return lists;
}

function formatRow({ data, ...row }: Row, exported: ExportedRows): object {
  const members = Object.entries(row).map(([name, value]) => [name, formatColumn(name, value, exported)]);
  return { ...Object.fromEntries(members), ...readData(data ?? null, exported.data) };
}

function formatColumn(name: string, value: Value, { columns }: ExportedRows): unknown {
  if (name.endsWith('_at') && typeof value === 'number') return formatTimestamp(value);
  return columns[name]?.type === 'object' && typeof value === 'string' ? JSON.parse(value) : value;
}

function readData(data: Value, schemas: Readonly<Record<string, JsonSchema>> = {}): object {
  const parsed = typeof data === 'string' ? JSON.parse(data) : {};
  return Object.fromEntries(Object.keys(schemas).map((name) => [name, parsed[name] ?? null]));
}

/** Deletes identities with an email that wait for an answer of the person, at most `limit`; returns their number. */
export const deleteWaitingIdentities = prepareRun<[emailKey: string, limit: number]>(`
  delete from pending_identities where browser_hash in (
    select browser_hash from pending_identities where email_key = $1 limit $2)`);

/** Deletes sign-ins with an email that wait for a code, at most `limit`; returns their number. */
export const deleteSignInCodes = prepareRun<[emailKey: string, limit: number]>(`
  delete from sign_in_codes where (email_key, network) in (
    select email_key, network from sign_in_codes where email_key = $1 limit $2)`);

/** Gives at most `limit` submissions of a user to another one; returns their number. */
export const moveSubmissions = prepareRun<{ from: string; to: string; limit: number }>(`
  update form_submissions set user_id = $to where (form_id, id) in (
    select form_id, id from form_submissions where user_id = $from order by form_id limit $limit)`);

/** Returns the days on which the user was active, latest first, as numbers since 1970-01-01. */
export const listActiveDays = prepareAll<{ day: number }, [userId: string, limit: number]>(
  'select day from user_activity where user_id = $1 order by day desc limit $2',
);

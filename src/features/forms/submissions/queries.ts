import { type Reader, type Statement, sql, type Tx } from '../../../database/database.ts';

/** A submission. Times in epoch milliseconds. */
export interface SubmissionRow {
  readonly id: string;
  readonly form_id: string;
  /** Number of the version that it answers. */
  readonly version: number;
  readonly received_at: number;
  /** 1 while it looks like spam, otherwise 0. */
  readonly held: number;
  readonly user_id: string | null;
  /** JSON object by label. */
  readonly answers: string;
}

const COLUMNS = 'id, form_id, version, received_at, held, user_id, answers';

/** The conditions of the form are part of the statement, so that they hold under concurrency. */
const INSERT = sql(`
  insert into form_submissions (${COLUMNS})
  select cast($1 as text), forms.id, cast($3 as bigint), cast($4 as bigint), cast($5 as bigint), cast($6 as text),
    cast($7 as text)
  from forms
  where forms.id = $2 and state = 'published'
    and (opens_at is null or opens_at <= $4) and (closes_at is null or closes_at > $4)
    and (access = 'public' or cast($6 as text) is not null)
    and (once = 0 or not exists (select 1 from form_submissions where user_id = $6 and form_id = $2))
    and ($5 = 1 or max_submissions is null or max_submissions >
      (select count(*) from form_submissions where form_id = $2)
      - (select count(*) from form_submissions where form_id = $2 and held = 1))`);

/** Returns whether the form accepts the submission, which is stored then. */
export async function insertSubmission(tx: Tx, row: SubmissionRow): Promise<boolean> {
  const { id, form_id, version, received_at, held, user_id, answers } = row;
  return (await tx.run(INSERT, id, form_id, version, received_at, held, user_id, answers)) === 1;
}

const OF_USER = sql('select 1 from form_submissions where user_id = $1 and form_id = $2 limit 1');

export async function hasSubmitted(reader: Reader, userId: string, formId: string): Promise<boolean> {
  return (await reader.get(OF_USER, userId, formId)) !== undefined;
}

const FIND = sql<SubmissionRow>(`select ${COLUMNS} from form_submissions where form_id = $1 and id = $2`);

export function findSubmission(
  reader: Reader,
  formId: string,
  id: string,
): Promise<SubmissionRow | undefined> {
  return reader.get(FIND, formId, id);
}

/** exclude: without held submissions. */
export const HELD_CHOICES = ['exclude', 'include', 'only'] as const;

export interface SubmissionFilter {
  readonly formId: string;
  readonly held: (typeof HELD_CHOICES)[number];
  readonly version: number | null;
  /** Epoch milliseconds, included. */
  readonly from: number | null;
  /** Epoch milliseconds, not included. */
  readonly to: number | null;
}

/** Time and id of the submission after which a page begins. */
export type SubmissionPosition = readonly [receivedAt: number, id: string];

const HELD_CONDITIONS = { exclude: 'and held = 0', include: '', only: 'and held = 1' } as const;

function createPages(isNewestFirst: boolean) {
  const [after, last, order] = isNewestFirst ? ['<', '>=', 'desc'] : ['>', '<', 'asc'];
  const create = (held: string, version: string) =>
    sql<SubmissionRow>(`
      select ${COLUMNS} from form_submissions
      where form_id = $1 and (received_at, id) ${after} ($2, $3) and received_at ${last} $4 ${held} ${version}
      order by received_at ${order}, id ${order} limit $5`);
  const entries = HELD_CHOICES.map((held) => {
    const condition = HELD_CONDITIONS[held];
    return [held, { all: create(condition, ''), ofVersion: create(condition, 'and version = $6') }];
  });
  return Object.fromEntries(entries) as Record<
    SubmissionFilter['held'],
    Record<'all' | 'ofVersion', Statement<SubmissionRow>>
  >;
}

const PAGES = { newestFirst: createPages(true), oldestFirst: createPages(false) };

/** Returns the submissions after a position. */
export function readSubmissions(
  reader: Reader,
  { formId, held, version, from, to }: SubmissionFilter,
  page: {
    readonly order: keyof typeof PAGES;
    readonly after: SubmissionPosition | null;
    readonly limit: number;
  },
): Promise<SubmissionRow[]> {
  const { order, after, limit } = page;
  const [low, high] = [from ?? 0, to ?? Number.MAX_SAFE_INTEGER];
  const [start, last] = order === 'newestFirst' ? [high, low] : [low, high];
  const { all, ofVersion } = PAGES[order][held];
  const values = [formId, ...(after ?? [start, '']), last, limit];
  return version === null ? reader.all(all, ...values) : reader.all(ofVersion, ...values, version);
}

const COUNT = sql<{ accepted: number; held: number }>(`
  select (select count(*) from (
      select 1 from form_submissions where form_id = $1 and held = 0 limit $2) as counted) as accepted,
    (select count(*) from (
      select 1 from form_submissions where form_id = $1 and held = 1 limit $2) as counted) as held`);

/** Counts the submissions to a form, up to `max` of each kind. */
export async function countSubmissions(reader: Reader, formId: string, max: number) {
  return (await reader.get(COUNT, formId, max))!;
}

const RELEASE = sql<SubmissionRow>(`
  update form_submissions set held = 0 where form_id = $1 and id = $2 and held = 1 returning ${COLUMNS}`);

/** Returns the submission if it was held. */
export function releaseSubmissionRow(tx: Tx, formId: string, id: string): Promise<SubmissionRow | undefined> {
  return tx.get(RELEASE, formId, id);
}

const DELETE = sql('delete from form_submissions where form_id = $1 and id = $2');

/** Returns whether there was such a submission. */
export async function deleteSubmissionRow(tx: Tx, formId: string, id: string): Promise<boolean> {
  return (await tx.run(DELETE, formId, id)) === 1;
}

const DELETE_BEFORE = sql(`
  delete from form_submissions where form_id = $1 and id in (
    select id from form_submissions where form_id = $1 and received_at < $2 order by received_at limit $3)`);

/** Deletes at most `limit` submissions that were received before a time, or any; returns their number. */
export function deleteSubmissions(
  tx: Tx,
  formId: string,
  { before = Number.MAX_SAFE_INTEGER, limit }: { readonly before?: number; readonly limit: number },
): Promise<number> {
  return tx.run(DELETE_BEFORE, formId, before, limit);
}

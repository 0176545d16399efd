import { type Reader, sql } from '../../../database/database.ts';
import { prepareChange, prepareExists, prepareGet, prepareRun } from '../../../database/prepare.ts';

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

const HAS_PLACE = `max_submissions > (select count(*) from form_submissions where form_id = $form_id)
  - (select count(*) from form_submissions where form_id = $form_id and held = 1)`;

/** Locks the form unless it is full: those who come too late do not wait for each other. */
export const lockPlace = prepareChange<{ form_id: string }>(`
  update forms set revision = revision
  where id = $form_id and state = 'published' and (max_submissions is null or ${HAS_PLACE})`);

/**
 * Stores the submission if the form accepts it. The conditions of the form are part of the statement, so that they hold
 * under concurrency; a maximum for those who have locked the form only.
 */
export const insertSubmission = prepareChange<SubmissionRow & { readonly isLocked: number }>(`
  insert into form_submissions (${COLUMNS})
  select cast($id as text), forms.id, cast($version as bigint), cast($received_at as bigint),
    cast($held as bigint), cast($user_id as text), cast($answers as text)
  from forms
  where forms.id = $form_id and state = 'published'
    and (opens_at is null or opens_at <= $received_at) and (closes_at is null or closes_at > $received_at)
    and (access = 'public' or cast($user_id as text) is not null)
    and (once = 0 or not exists (
      select 1 from form_submissions where user_id = $user_id and form_id = $form_id))
    and ($held = 1 or max_submissions is null or ($isLocked = 1 and ${HAS_PLACE}))`);

export const hasSubmitted = prepareExists<[userId: string, formId: string]>(
  'select 1 from form_submissions where user_id = $1 and form_id = $2 limit 1',
);

export const findSubmission = prepareGet<SubmissionRow, [formId: string, id: string]>(
  `select ${COLUMNS} from form_submissions where form_id = $1 and id = $2`,
);

const HELD_CONDITIONS = { exclude: 'and held = 0', include: '', only: 'and held = 1' } as const;

type HeldChoice = keyof typeof HELD_CONDITIONS;

export interface SubmissionFilter {
  readonly formId: string;
  readonly held: HeldChoice;
  readonly version: number | null;
  /** Epoch milliseconds, included. */
  readonly from: number | null;
  /** Epoch milliseconds, not included. */
  readonly to: number | null;
}

/** Time and id of the submission after which a page begins. */
export type SubmissionPosition = readonly [receivedAt: number, id: string];

const ORDERS = { newestFirst: ['<', '>=', 'desc'], oldestFirst: ['>', '<', 'asc'] } as const;

type Order = keyof typeof ORDERS;

function createPages(order: Order, condition: string) {
  const [after, last, direction] = ORDERS[order];
  return sql<SubmissionRow>(`
    select ${COLUMNS} from form_submissions
    where form_id = $1 and (received_at, id) ${after} ($2, $3) and received_at ${last} $4 ${condition}
    order by received_at ${direction}, id ${direction} limit $5`);
}

/** Statements by order, held and whether a version is selected. */
const PAGES = new Map(
  (Object.keys(ORDERS) as Order[]).flatMap((order) =>
    Object.entries(HELD_CONDITIONS).flatMap(([held, condition]) => [
      [`${order} ${held} false`, createPages(order, condition)] as const,
      [`${order} ${held} true`, createPages(order, `${condition} and version = $6`)] as const,
    ]),
  ),
);

/** Returns the submissions after a position. */
export function readSubmissions(
  reader: Reader,
  { formId, held, version, from, to }: SubmissionFilter,
  page: { readonly order: Order; readonly after: SubmissionPosition | null; readonly limit: number },
): Promise<SubmissionRow[]> {
  const { order, after, limit } = page;
  const [low, high] = [from ?? 0, to ?? Number.MAX_SAFE_INTEGER];
  const [start, last] = order === 'newestFirst' ? [high, low] : [low, high];
  const statement = PAGES.get(`${order} ${held} ${version !== null}`)!;
  const ofVersion = version === null ? [] : [version];
  return reader.all(statement, formId, ...(after ?? [start, '']), last, limit, ...ofVersion);
}

/** Counts the submissions to a form, up to a limit of each kind. */
export const countSubmissions = prepareGet<
  { accepted: number; held: number },
  [formId: string, limit: number]
>(`
  select (select count(*) from (
      select 1 from form_submissions where form_id = $1 and held = 0 limit $2) as counted) as accepted,
    (select count(*) from (
      select 1 from form_submissions where form_id = $1 and held = 1 limit $2) as counted) as held`);

/** Returns whether the submission was held. */
export const releaseHeld = prepareChange<[formId: string, id: string]>(
  'update form_submissions set held = 0 where form_id = $1 and id = $2 and held = 1',
);

export const deleteSubmissionRow = prepareChange<[formId: string, id: string]>(
  'delete from form_submissions where form_id = $1 and id = $2',
);

/** Deletes at most `limit` submissions that were received before a time; returns their number. */
export const deleteSubmissions = prepareRun<[formId: string, before: number, limit: number]>(`
  delete from form_submissions where form_id = $1 and id in (
    select id from form_submissions where form_id = $1 and received_at < $2 order by received_at limit $3)`);

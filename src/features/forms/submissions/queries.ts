import { type Reader, sql, type Tx } from '../../../database/database.ts';
import { prepareChange, prepareExists, prepareGet, prepareRun } from '../../../database/prepare.ts';
import { lockForm } from '../queries.ts';

/** Signs of spam: a filled decoy, a page that was sent too fast, too many of one network. */
export const HELD_REASONS = ['decoy', 'too_fast', 'too_many'] as const;
export type HeldReason = (typeof HELD_REASONS)[number];

/** A submission. Times in epoch milliseconds. */
export interface SubmissionRow {
  readonly id: string;
  readonly form_id: string;
  /** Number of the version that it answers. */
  readonly version: number;
  readonly received_at: number;
  /** 1 while it looks like spam, otherwise 0. */
  readonly held: number;
  /** Why it is or was held; null for others, and for those that an earlier release has held. */
  readonly held_reason: HeldReason | null;
  readonly user_id: string | null;
  /** JSON object by label. */
  readonly answers: string;
}

/** A submission to be stored. network: of a held one, as `getNetworkBucket` returns it. */
export type NewSubmission = SubmissionRow & { readonly network: number | null };

const COLUMNS = 'id, form_id, version, received_at, held, held_reason, user_id, answers';

/** Takes a place of a form with a maximum, if it was counted: those who come too late do not wait for each other. */
const takeCountedPlace = prepareChange<[formId: string]>(
  "update forms set accepted = accepted + 1 where id = $1 and state = 'published' and accepted < max_submissions",
);
const isUncounted = prepareExists<[formId: string]>('select 1 from forms where id = $1 and accepted is null');
const countAccepted = prepareRun<[formId: string]>(`
  update forms set accepted = (select count(*) from form_submissions where form_id = $1)
    - (select count(*) from form_submissions where form_id = $1 and held = 1)
  where id = $1 and accepted is null and max_submissions is not null`);

/** Takes a place of a form with a maximum, which is locked then; returns false if there is none. */
export async function takePlace(tx: Tx, formId: string): Promise<boolean> {
  if (await takeCountedPlace(tx, formId)) return true;
  if (!(await isUncounted(tx, formId))) return false;
  // The statement that counts sees what was committed before it got the lock.
  await lockForm(tx, formId);
  await countAccepted(tx, formId);
  return takeCountedPlace(tx, formId);
}

/** Has the accepted submissions counted again, after some were deleted or released: waits for who is counting them. */
export const forgetAccepted = prepareRun<[formId: string]>(
  'update forms set accepted = null where id = $1 and max_submissions is not null',
);
/** Corrects what nodes of a release without the count have added beside this one. */
export const forgetAllAccepted = prepareRun('update forms set accepted = null where accepted is not null');

const MAX_HELD = 1_000;
const MAX_HELD_OF_NETWORK = 20;

/** Whether a form that is locked holds as many submissions, of all or of this network, as it may. */
export const holdsTooMany = prepareExists<[formId: string, network: number]>(`
  select 1 where ${hasHeld('', MAX_HELD)} or ${hasHeld('and network = $2', MAX_HELD_OF_NETWORK)}`);

function hasHeld(condition: string, number: number): string {
  const rows = `select 1 from form_submissions where form_id = $1 and held = 1 ${condition} limit ${number}`;
  return `${number} = (select count(*) from (${rows}) as held_rows)`;
}

/**
 * Stores the submission if the form accepts it. The conditions of the form are part of the statement, so that they hold
 * under concurrency; a maximum for those who have taken a place only.
 */
export const insertSubmission = prepareChange<NewSubmission & { readonly hasPlace: number }>(`
  insert into form_submissions (${COLUMNS}, network)
  select cast($id as text), forms.id, cast($version as bigint), cast($received_at as bigint),
    cast($held as bigint), cast($held_reason as text), cast($user_id as text), cast($answers as text), cast($network as bigint)
  from forms
  where forms.id = $form_id and state = 'published'
    and (opens_at is null or opens_at <= $received_at) and (closes_at is null or closes_at > $received_at)
    and (access = 'public' or cast($user_id as text) is not null)
    and (once = 0 or not exists (
      select 1 from form_submissions where user_id = $user_id and form_id = $form_id))
    and ($held = 1 or max_submissions is null or $hasPlace = 1)`);

export const hasSubmitted = prepareExists<[userId: string, formId: string]>(
  'select 1 from form_submissions where user_id = $1 and form_id = $2 limit 1',
);

export const findSubmission = prepareGet<SubmissionRow, [formId: string, id: string]>(
  `select ${COLUMNS} from form_submissions where form_id = $1 and id = $2`,
);

const HELD_CONDITIONS = { exclude: 'and held = 0', include: '', only: 'and held = 1' } as const;

export interface SubmissionFilter {
  readonly formId: string;
  readonly held: keyof typeof HELD_CONDITIONS;
  readonly version: number | null;
  /** Epoch milliseconds, included. */
  readonly from: number | null;
  /** Epoch milliseconds, not included. */
  readonly to: number | null;
  /** A part of any answer, or of the beginning of the id; null for any. */
  readonly search: string | null;
  /** A label, a colon and the answer; null for any. */
  readonly answer: string | null;
}

/** Time and id of the submission after which a page begins. */
export type SubmissionPosition = readonly [receivedAt: number, id: string];

const ORDERS = { newestFirst: ['<', '>=', 'desc'], oldestFirst: ['>', '<', 'asc'] } as const;

export type SubmissionOrder = keyof typeof ORDERS;

function createPages(order: SubmissionOrder, condition: string) {
  const [after, last, direction] = ORDERS[order];
  return sql<SubmissionRow>(`
    select ${COLUMNS} from form_submissions
    where form_id = $1 and (received_at, id) ${after} ($2, $3) and received_at ${last} $4 ${condition}
    order by received_at ${direction}, id ${direction} limit $5`);
}

/** Statements by order, held and whether a version is selected. */
const PAGES = new Map(
  (Object.keys(ORDERS) as SubmissionOrder[]).flatMap((order) =>
    Object.entries(HELD_CONDITIONS).flatMap(([held, condition]) => [
      [`${order} ${held} false`, createPages(order, condition)] as const,
      [`${order} ${held} true`, createPages(order, `${condition} and version = $6`)] as const,
    ]),
  ),
);

/** Returns the submissions after a position, whatever their answers are. */
export function readSubmissions(
  reader: Reader,
  { formId, held, version, from, to }: SubmissionFilter,
  page: {
    readonly order: SubmissionOrder;
    readonly after: SubmissionPosition | null;
    readonly limit: number;
  },
): Promise<SubmissionRow[]> {
  const { order, after, limit } = page;
  const [low, high] = [from ?? 0, to ?? Number.MAX_SAFE_INTEGER];
  const [start, last] = order === 'newestFirst' ? [high, low] : [low, high];
  const statement = PAGES.get(`${order} ${held} ${version !== null}`)!;
  const ofVersion = version === null ? [] : [version];
  return reader.all(statement, formId, ...(after ?? [start, '']), last, limit, ...ofVersion);
}

/** Returns the numbers of submissions to a form, counted up to a limit of each kind. */
export const countSubmissions = prepareGet<
  { accepted: number; held: number },
  [formId: string, limit: number]
>(`
  select coalesce((select accepted from forms where id = $1), (select count(*) from (
      select 1 from form_submissions where form_id = $1 and held = 0 limit $2) as counted)) as accepted,
    (select count(*) from (
      select 1 from form_submissions where form_id = $1 and held = 1 limit $2) as counted) as held`);

/** Returns whether the submission was held. */
export const releaseHeld = prepareChange<[formId: string, id: string]>(
  'update form_submissions set held = 0, network = null where form_id = $1 and id = $2 and held = 1',
);

export const deleteSubmissionRow = prepareChange<[formId: string, id: string]>(
  'delete from form_submissions where form_id = $1 and id = $2',
);

/** Deletes at most `limit` submissions that were received before a time; returns their number. */
export const deleteSubmissions = prepareRun<[formId: string, before: number, limit: number]>(`
  delete from form_submissions where form_id = $1 and id in (
    select id from form_submissions where form_id = $1 and received_at < $2 order by received_at limit $3)`);

/**
 * Finds submissions by their answers, and counts choices. Rows are read in the order of an index and compared here:
 * answers are JSON, in which the engines find and compare texts differently. The number of rows of a request is limited.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Reader } from '../../../database/database.ts';
import { type Page, toPage } from '../../../lib/routes/pagination.ts';
import { foldText } from '../../../lib/text/normalize.ts';
import type { Field } from '../definitions/definition.ts';
import {
  readSubmissions,
  type SubmissionFilter,
  type SubmissionOrder,
  type SubmissionPosition,
  type SubmissionRow,
} from './queries.ts';

/** A submission has up to 256 KiB. */
const BATCH = 100;
const MAX_COMPARED = 2_000;
const MAX_COUNTED = 10_000;

/** Returns a page of submissions, which has fewer than there are if too many had to be compared for it. */
export async function findSubmissions(
  reader: Reader,
  filter: SubmissionFilter,
  { order, after, limit }: { order: SubmissionOrder; after: SubmissionPosition | null; limit: number },
): Promise<Page<SubmissionRow, SubmissionPosition>> {
  const size = filter.search === null && filter.answer === null ? limit + 1 : BATCH;
  const matches = createMatcher(filter);
  const found: SubmissionRow[] = [];
  let position = after;
  for (let compared = 0; compared < MAX_COMPARED; compared += size) {
    const rows = await readSubmissions(reader, filter, { order, after: position, limit: size });
    found.push(...rows.filter(matches));
    if (found.length > limit) return toPage(found, limit, toPosition);
    if (rows.length < size) return { rows: found, next: null };
    position = toPosition(rows.at(-1)!);
    // Reads on SQLite are synchronous.
    await nextTurn();
  }
  return { rows: found, next: position };
}

/** Returns the ids of the submissions beside this one in the list; null if there is none or it was not found. */
export async function findNeighbors(reader: Reader, filter: SubmissionFilter, row: SubmissionRow) {
  const find = async (order: SubmissionOrder) => {
    const page = await findSubmissions(reader, filter, { order, after: toPosition(row), limit: 1 });
    return page.rows[0]?.id ?? null;
  };
  return { newer_id: await find('oldestFirst'), older_id: await find('newestFirst') };
}

const toPosition = ({ received_at, id }: SubmissionRow) => [received_at, id] as const;

/** Returns the function that compares a submission with the filters of answers. */
export function createMatcher({ search, answer }: SubmissionFilter): (row: SubmissionRow) => boolean {
  if (search === null && answer === null) return () => true;
  const key = search === null ? '' : foldText(search.trim());
  return ({ id, answers }) => {
    const values = Object.entries<unknown>(JSON.parse(answers)).map(
      ([label, value]) => [label, [value].flat().map(String)] as const,
    );
    const hasAnswer = values.some(([label, all]) => all.some((value) => `${label}:${value}` === answer));
    if (answer !== null && !hasAnswer) return false;
    return id.startsWith(key) || values.some(([, all]) => all.some((value) => foldText(value).includes(key)));
  };
}

/** Counts the answers to fields with choices, of at most 10,000 submissions. */
export async function countAnswers(reader: Reader, filter: SubmissionFilter, fields: readonly Field[]) {
  const totals = fields.filter(isChoice).map(({ label, options = ['true', 'false'] }) => {
    return { label, counts: new Map(options.map((option) => [option, 0])), answered: 0, other: 0 };
  });
  const matches = createMatcher(filter);
  let counted = 0;
  for (let read = 0, after: SubmissionPosition | null = null; ; ) {
    const page = { order: 'newestFirst', after, limit: BATCH } as const;
    const rows: SubmissionRow[] = read < MAX_COUNTED ? await readSubmissions(reader, filter, page) : [];
    for (const row of rows.filter(matches)) {
      counted++;
      const answers = new Map<string, unknown>(Object.entries(JSON.parse(row.answers)));
      for (const total of totals) addAnswer(total, answers.get(total.label));
    }
    read += rows.length;
    if (rows.length < BATCH) return { counted, is_complete: read < MAX_COUNTED, fields: totals.map(toView) };
    after = toPosition(rows.at(-1)!);
    await nextTurn();
  }
}

const isChoice = ({ type, options }: Field) => options !== undefined || type === 'checkbox';

interface Total {
  readonly label: string;
  readonly counts: Map<string, number>;
  answered: number;
  /** Answers of other versions. */
  other: number;
}

function addAnswer(total: Total, answer: unknown): void {
  if (answer === undefined) return;
  total.answered++;
  for (const value of [answer].flat().map(String)) {
    const count = total.counts.get(value);
    if (count === undefined) total.other++;
    else total.counts.set(value, count + 1);
  }
}

function toView({ label, counts, answered, other }: Total) {
  return { label, answered, options: [...counts].map(([value, count]) => ({ value, count })), other };
}

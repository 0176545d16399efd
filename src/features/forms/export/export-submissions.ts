/** Exports submissions, oldest first: page by page, at the speed of the reader. */
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database, DatabaseDeps } from '../../../database/database.ts';
import { createStreamLimit } from '../../../lib/routes/stream-limit.ts';
import { recordEvent } from '../../events/record-event.ts';
import { formSubject, getForm, parseDefinition } from '../form-rules.ts';
import { listPublishedVersions } from '../queries.ts';
import {
  readSubmissions,
  type SubmissionFilter,
  type SubmissionPosition,
  type SubmissionRow,
} from '../submissions/queries.ts';
import { createFormat, type ExportFormat, findColumns } from './formats.ts';

/** Each export keeps the process busy, and a page in memory. */
const MAX_EXPORTS = 2;
/** A submission has up to 256 KiB. */
const PAGE_SIZE = 100;

/** Creates the function that exports submissions. Errors: Problem service_unavailable while two exports run. */
export function createExportSubmissions({ database, clock }: DatabaseDeps) {
  const limit = createStreamLimit({ max: MAX_EXPORTS, name: 'exports' });
  /** @throws Problem form_not_found */
  return (filter: SubmissionFilter, format: ExportFormat): Promise<Readable> =>
    limit(async () => {
      const { formId } = filter;
      const { published_version: current } = await getForm(database, formId);
      const versions = await listPublishedVersions(database, formId);
      const columns = findColumns(
        versions.map((row) => parseDefinition(row).fields),
        versions.findIndex(({ number }) => number === current),
      );
      const now = clock();
      // Not those that are received meanwhile, which might never end.
      const pages = submissionPages(database, { ...filter, to: Math.min(filter.to ?? Infinity, now + 1) });
      // Before the response begins, so that a failure of the database still gets an error response.
      const first = await pages.next();
      const { header, formatRows } = await createFormat(format, columns);
      await database.transaction((tx) =>
        recordEvent(tx, { type: 'submissions.exported', subject: formSubject(formId), now }),
      );
      return Readable.from(formatPages(first, pages, { header, formatRows }));
    });
}

type Pages = AsyncGenerator<readonly SubmissionRow[]>;

/** @throws Problem form_not_found (deleted meanwhile) */
async function* submissionPages(database: Database, filter: SubmissionFilter): Pages {
  let after: SubmissionPosition | null = null;
  for (;;) {
    const page = { order: 'oldestFirst', after, limit: PAGE_SIZE } as const;
    const rows: SubmissionRow[] = await readSubmissions(database, filter, page);
    yield rows;
    if (rows.length < PAGE_SIZE) break;
    const { received_at, id } = rows.at(-1)!;
    after = [received_at, id];
  }
  // Of a form that was deleted meanwhile, rows are missing: the file must not look complete.
  await getForm(database, filter.formId);
}

async function* formatPages(
  first: IteratorResult<readonly SubmissionRow[]>,
  pages: Pages,
  { header, formatRows }: Awaited<ReturnType<typeof createFormat>>,
): AsyncGenerator<string> {
  if (header !== '') yield header;
  for (let page = first; !page.done; page = await pages.next()) {
    if (page.value.length > 0) yield formatRows(page.value);
    // Yields to other requests: reads on SQLite are synchronous, and a fast client never makes the stream wait.
    await nextTurn();
  }
}

/** Streams exports: page by page, at the speed of the reader. */
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Problem } from '../../problems/problem.ts';

/** Each export keeps the process busy, and a page in memory. */
const MAX_EXPORTS = 2;

export interface Export<Row> {
  /** Pages of rows, some of which may be empty. */
  readonly pages: AsyncGenerator<readonly Row[]>;
  /** Prepares the file, once the first page is read. */
  readonly begin: () => Promise<ExportFormat<Row>>;
}

/** Yields the file in chunks, and requests a page when the reader wants more. */
export type ExportFormat<Row> = (pages: AsyncIterable<readonly Row[]>) => AsyncGenerator<string | Uint8Array>;

interface TextFormat<Row> {
  readonly header: string;
  readonly formatRows: (rows: readonly Row[]) => string;
}

/** Returns the format of files with a line for each row. */
export function toExportFormat<Row>({ header, formatRows }: TextFormat<Row>): ExportFormat<Row> {
  return async function* formatText(pages) {
    if (header !== '') yield header;
    for await (const rows of pages) if (rows.length > 0) yield formatRows(rows);
  };
}

/**
 * Returns the function that exports rows of one kind. The stream has to be read or destroyed: until then it counts as
 * running. Errors: Problem service_unavailable while two exports run, and those of `open`, of the first page and of `begin`.
 */
export function createExportStream<Row>() {
  let running = 0;
  return async (open: () => Promise<Export<Row>>): Promise<Readable> => {
    if (running >= MAX_EXPORTS) {
      const text = `No more than ${MAX_EXPORTS} exports can run at a time`;
      // Not 429: another node may have room, and a proxy may ask it.
      throw new Problem('service_unavailable', { text, retryAfterSeconds: 10 });
    }
    running++;
    try {
      const { pages, begin } = await open();
      // Before the response begins, so that a failure of the database still gets an error response.
      const first = await pages.next();
      const format = await begin();
      return Readable.from(format(takeTurns(first, pages))).once('close', () => running--);
    } catch (error) {
      running--;
      throw error;
    }
  };
}

async function* takeTurns<Row>(first: IteratorResult<Row>, pages: AsyncGenerator<Row>): AsyncGenerator<Row> {
  for (let page = first; !page.done; page = await pages.next()) {
    yield page.value;
    // Yields to other requests: reads on SQLite are synchronous, and a fast client never makes the stream wait.
    await nextTurn();
  }
}

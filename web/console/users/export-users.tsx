/** Saves the users of the list as a CSV file. */
import { useRef, useState } from 'preact/hooks';
import { type ApiError, noResponse } from '../../common/api.ts';
import { Failure } from '../../common/components.tsx';
import { Icon } from '../../common/icon.tsx';
import { useAction } from '../../common/use-action.ts';
import { download } from '../session.ts';
import { announce } from '../status.tsx';
import { exportPath, type ListView } from './list-view.ts';

export function ExportUsers({ view }: { readonly view: ListView }) {
  const [bytes, setBytes] = useState(0);
  const action = useAction();
  const abort = useRef(new AbortController());
  const start = () =>
    action.run(async () => {
      setBytes(0);
      abort.current = new AbortController();
      await saveExport(exportPath(view), { signal: abort.current.signal, onBytes: setBytes });
    });
  return (
    <div class="export">
      {action.isBusy ? (
        <>
          <progress aria-label="Export" aria-valuetext={sizeText(bytes)} />
          <span>{sizeText(bytes)}. A large export takes a moment.</span>
          <button type="button" onClick={() => abort.current.abort()}>
            Cancel the export
          </button>
        </>
      ) : (
        <ExportButton view={view} onStart={start} />
      )}
      {action.error && <ExportFailure error={action.error} retry={start} />}
    </div>
  );
}

function ExportButton({ view, onStart }: { readonly view: ListView; readonly onStart: () => void }) {
  const isFiltered = view.search !== '' || view.state !== null;
  return (
    <button type="button" onClick={onStart}>
      <Icon name="download" />
      {isFiltered ? 'Export matching users (CSV)' : 'Export all (CSV)'}
    </button>
  );
}

function ExportFailure({ error, retry }: { readonly error: ApiError; readonly retry: () => void }) {
  return <Failure what="The export was not saved" error={error} retry={retry} />;
}

interface ExportOptions {
  readonly signal: AbortSignal;
  readonly onBytes: (bytes: number) => void;
}

/** A file is saved only when it is complete. */
async function saveExport(path: string, { signal, onBytes }: ExportOptions): Promise<void> {
  try {
    const response = await download(path, { signal, headers: { Accept: 'text/csv' } });
    const name = getFileName(response);
    const file = await readFile(response, onBytes);
    save(file, name);
    announce(`${name} was saved (${sizeText(file.size)}).`);
  } catch (error) {
    if (!signal.aborted) throw error;
    announce('The export was cancelled.');
  }
}

/** Chunks are moved into a blob at this size: the browser keeps blobs on disk. */
const PART_BYTES = 4 * 1024 * 1024;

async function readFile(response: Response, onBytes: (bytes: number) => void): Promise<Blob> {
  const reader = response.body!.getReader();
  let file = new Blob([]);
  let chunks: Uint8Array<ArrayBuffer>[] = [];
  let waiting = 0;
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw noResponse();
    });
    if (done) return new Blob([file, ...chunks], { type: 'text/csv' });
    chunks.push(value);
    waiting += value.byteLength;
    onBytes(file.size + waiting);
    if (waiting < PART_BYTES) continue;
    file = new Blob([file, ...chunks]);
    chunks = [];
    waiting = 0;
  }
}

function getFileName({ headers }: Response): string {
  return /filename="([^"]+)"/.exec(headers.get('Content-Disposition') ?? '')?.[1] ?? 'users.csv';
}

function save(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // The download has its own reference to the file from the next task on.
  setTimeout(() => URL.revokeObjectURL(link.href), 0);
}

const SIZE = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });

function sizeText(bytes: number): string {
  return bytes < 1_000_000 ? `${SIZE.format(bytes / 1000)} kB` : `${SIZE.format(bytes / 1_000_000)} MB`;
}

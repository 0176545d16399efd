/** Saves a list as a file, of a format that is chosen. */
import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { noResponse } from '../../common/api.ts';
import { Button, Failure } from '../../common/components.tsx';
import { formatSize } from '../../common/page-language.ts';
import { useAction } from '../../common/use-action.ts';
import { download } from '../session.ts';
import { announce } from '../status.tsx';
import { Dropdown } from './controls.tsx';

interface ExportFileProps {
  /** The text of the button: `Export all (CSV)`. */
  readonly label: string;
  /** Renders another control that starts the export. */
  readonly renderStart?: (start: () => void) => ComponentChildren;
  /** The path of the file in the API, with its filters. */
  readonly path: string;
  readonly mediaType: string;
}

export function ExportFile({ label, path, mediaType, renderStart }: ExportFileProps) {
  const [bytes, setBytes] = useState(0);
  const action = useAction();
  const abort = useRef(new AbortController());
  const start = () =>
    void action.run(async () => {
      setBytes(0);
      abort.current = new AbortController();
      await saveExport(path, { mediaType, signal: abort.current.signal, onBytes: setBytes });
    });
  return (
    <div class="export">
      {action.isBusy ? (
        <>
          <progress aria-label="Export" aria-valuetext={formatSize(bytes)} />
          <span>{formatSize(bytes)}. A large export takes a moment.</span>
          <Button text="Cancel the export" onClick={() => abort.current.abort()} />
        </>
      ) : (
        (renderStart?.(start) ?? <Button icon="download" text={label} onClick={start} />)
      )}
      {action.error && <Failure what="The export was not saved" error={action.error} retry={start} />}
    </div>
  );
}

interface ExportOptions {
  readonly mediaType: string;
  readonly signal: AbortSignal;
  readonly onBytes: (bytes: number) => void;
}

/** A file is saved only when it is complete. */
async function saveExport(path: string, options: ExportOptions): Promise<void> {
  const { mediaType, signal } = options;
  try {
    const response = await download(path, { signal, headers: { Accept: mediaType } });
    const name = getFileName(response);
    const file = await readFile(response, options);
    saveFile(file, name);
    announce(`${name} was saved (${formatSize(file.size)}).`);
  } catch (error) {
    if (!signal.aborted) throw error;
    announce('The export was cancelled.');
  }
}

/** Chunks are moved into a blob at this size: the browser keeps blobs on disk. */
const PART_BYTES = 4 * 1024 * 1024;

async function readFile(
  response: Response,
  { mediaType, onBytes }: Omit<ExportOptions, 'signal'>,
): Promise<Blob> {
  const reader = response.body!.getReader();
  let file = new Blob([]);
  let chunks: Uint8Array<ArrayBuffer>[] = [];
  let waiting = 0;
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw noResponse();
    });
    if (done) return new Blob([file, ...chunks], { type: mediaType });
    chunks.push(value);
    waiting += value.byteLength;
    onBytes(file.size + waiting);
    if (waiting < PART_BYTES) continue;
    file = new Blob([file, ...chunks]);
    chunks = [];
    waiting = 0;
  }
}

/** The encoded name, if there is one (RFC 8187), has all characters. */
function getFileName({ headers }: Response): string {
  const disposition = headers.get('Content-Disposition') ?? '';
  const [, encoded] = /filename\*=UTF-8''(\S+)/.exec(disposition) ?? [];
  if (encoded !== undefined) return decodeURIComponent(encoded);
  return /filename="([^"]+)"/.exec(disposition)?.[1] ?? 'export';
}

/** Lets the browser save the file under this name. */
function saveFile(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // The download has its own reference to the file from the next task on.
  setTimeout(() => URL.revokeObjectURL(link.href), 0);
}

interface FileFormat {
  readonly name: string;
  /** What it is for. */
  readonly hint: string;
  readonly mediaType: string;
  /** Parameters of the export in the API. */
  readonly parameters: Readonly<Record<string, string>>;
}

export const SPREADSHEET: FileFormat = {
  name: 'Spreadsheet (.xlsx)',
  hint: 'for Excel, LibreOffice and others',
  mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  parameters: { format: 'xlsx' },
};

interface ExportMenuProps {
  /** The text of the button that starts the export. */
  readonly label: string;
  readonly formats: readonly FileFormat[];
  /** Returns the path of the file in the API, with its filters. */
  readonly toPath: (parameters: FileFormat['parameters']) => string;
  /** Renders what can be chosen besides. */
  readonly renderOptions?: (format: FileFormat) => ComponentChildren;
}

export function ExportMenu({ label, formats, toPath, renderOptions }: ExportMenuProps) {
  const [index, setIndex] = useState(0);
  const format = formats[index]!;
  return (
    <ExportFile
      label="Export"
      path={toPath(format.parameters)}
      mediaType={format.mediaType}
      renderStart={(start) => (
        <Dropdown icon="download" label="Export">
          <fieldset class="stack tight choice-panel">
            <legend class="visually-hidden">Format</legend>
            {formats.map(({ name, hint }, each) => (
              <label key={name} class="option">
                <input type="radio" name="format" checked={each === index} onChange={() => setIndex(each)} />
                <span>
                  {name}
                  <small>{hint}</small>
                </span>
              </label>
            ))}
            {renderOptions?.(format)}
            <Button text={label} class="primary" onClick={start} />
          </fieldset>
        </Dropdown>
      )}
    />
  );
}

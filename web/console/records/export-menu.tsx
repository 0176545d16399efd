/** Saves a list as a file of a format that is chosen. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Dropdown } from './controls.tsx';
import { ExportFile } from './export-file.tsx';

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
            <button type="button" class="primary" onClick={start}>
              {label}
            </button>
          </fieldset>
        </Dropdown>
      )}
    />
  );
}

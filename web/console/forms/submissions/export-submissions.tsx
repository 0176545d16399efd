/** Saves submissions as a file. */
import { useState } from 'preact/hooks';
import { withQuery } from '../../../common/router.tsx';
import { Dropdown } from '../../records/controls.tsx';
import { ExportFile } from '../../records/export-file.tsx';
import { type Filter, isFiltered } from '../../records/filters.tsx';
import { formPath } from '../record.tsx';

/** Parameters of the export, as an option: `name, explanation`. */
const FORMATS = [
  ['CSV', 'for spreadsheets, one column for each field', { format: 'csv' }],
  ['CSV for Excel', 'marked as UTF-8', { format: 'csv', bom: '1' }],
  ['NDJSON', 'without loss, one submission in a line', { format: 'ndjson' }],
] as const;

interface ExportSubmissionsProps {
  readonly formId: string;
  readonly filter: Filter;
}

export function ExportSubmissions({ formId, filter }: ExportSubmissionsProps) {
  const [index, setIndex] = useState(0);
  const [isRaw, setRaw] = useState(false);
  const [, , parameters] = FORMATS[index]!;
  const raw = isRaw && parameters.format === 'csv' ? '1' : null;
  return (
    <ExportFile
      label="Export"
      path={withQuery(`${formPath(formId)}/submissions/export`, { ...filter, ...parameters, raw })}
      mediaType={parameters.format === 'csv' ? 'text/csv' : 'application/x-ndjson'}
      renderStart={(start) => (
        <Dropdown icon="download" label="Export">
          <fieldset class="stack tight choice-panel">
            <legend class="visually-hidden">Format</legend>
            {FORMATS.map(([name, hint], each) => (
              <label key={name} class="option">
                <input type="radio" name="format" checked={each === index} onChange={() => setIndex(each)} />
                <span>
                  {name}
                  <small>{hint}</small>
                </span>
              </label>
            ))}
            {parameters.format === 'csv' && (
              <label class="option">
                <input type="checkbox" checked={!isRaw} onChange={() => setRaw(!isRaw)} />
                <span>
                  Guard against formulas
                  <small>Texts that a spreadsheet would execute begin with an apostrophe.</small>
                </span>
              </label>
            )}
            <button type="button" class="primary" onClick={start}>
              {isFiltered(filter) ? 'Export matching submissions' : 'Export all submissions'}
            </button>
          </fieldset>
        </Dropdown>
      )}
    />
  );
}

/** Submissions as a table of a spreadsheet. */
import type { CellValue, Column } from '../../../lib/spreadsheets/cells.ts';
import { MAX_COLUMNS, type Table } from '../../../lib/spreadsheets/workbook.ts';
import { Problem } from '../../../problems/problem.ts';
import type { SubmissionRow } from '../submissions/queries.ts';
import { type Answer, type ExportedField, joinOptions, parseAnswers } from './fields.ts';

const METADATA: readonly Column[] = [
  { title: 'ID', name: 'submission:id' },
  { title: 'Received (UTC)', name: 'submission:received_at', type: 'time' },
  { title: 'Version', name: 'submission:version' },
];

/**
 * Returns the table, with a column for each option of which answers are lists. These are one text if there are too many.
 * @throws Problem not_acceptable (more columns than a spreadsheet has)
 */
export function createTable(fields: readonly ExportedField[]): Table<SubmissionRow> {
  const isWide = METADATA.length + fields.flatMap(toColumns).length > MAX_COLUMNS;
  const shown = isWide ? fields.map((one) => ({ ...one, options: [], isSingle: true })) : fields;
  const columns = [...METADATA, ...shown.flatMap(toColumns)];
  if (columns.length > MAX_COLUMNS)
    throw new Problem('not_acceptable', {
      text: `The form has more fields in all versions than a spreadsheet has columns (${MAX_COLUMNS}): export it as CSV`,
    });
  return {
    name: 'Answers',
    columns,
    toCells: (row) => {
      const answers = parseAnswers(row);
      const cells = shown.flatMap((one) => toCells(one, answers.get(one.field.label)));
      return [row.id, row.received_at, row.version, ...cells];
    },
  };
}

function toColumns({ field, options, isSingle }: ExportedField): Column[] {
  const { label: name, title = name, type } = field;
  return [
    ...(isSingle ? [{ title, name, ...(type === 'date' ? { type } : {}) }] : []),
    // The colon keeps them apart from labels.
    ...options.map((option) => ({ title: `${title} [${option}]`, name: `${name}:${option}` })),
  ];
}

function toCells({ options, isSingle }: ExportedField, answer: Answer | undefined): CellValue[] {
  if (typeof answer !== 'object') return [...(isSingle ? [answer] : []), ...options.map(() => undefined)];
  if (options.length === 0) return [joinOptions(answer)];
  return [...(isSingle ? [undefined] : []), ...options.map((option) => answer.includes(option))];
}

/** Results of the benches, and their tables. */

export interface Finding {
  readonly bench: string;
  /** The measured operation. */
  readonly what: string;
  /** By name, in the order of the columns. A list contains one value per round. */
  readonly figures: Readonly<Record<string, number | readonly number[]>>;
  readonly target: Target | null;
}

/** Lowest or highest accepted value of one figure. */
export interface Target {
  readonly figure: string;
  readonly atLeast?: number;
  readonly atMost?: number;
}

function formatVerdict({ figures, target }: Finding): string {
  if (target === null) return '';
  const { atLeast = -Infinity, atMost = Infinity } = target;
  const value = figures[target.figure] as number;
  return value >= atLeast && value <= atMost ? 'met' : 'MISSED';
}

/** Returns one table for each run of findings that have the same figures. */
export function formatFindings(findings: readonly Finding[]): string {
  const groups: Finding[][] = [];
  for (const finding of findings) {
    const group = groups.at(-1);
    if (group !== undefined && getColumns(group[0]!) === getColumns(finding)) group.push(finding);
    else groups.push([finding]);
  }
  return groups.map(formatTable).join('\n\n');
}

const getColumns = ({ figures }: Finding) => Object.keys(figures).join();

function formatTable(findings: readonly Finding[]): string {
  const names = Object.keys(findings[0]!.figures);
  const hasTarget = findings.some(({ target }) => target !== null);
  const rows = [
    ['', ...names, ...(hasTarget ? ['target', ''] : [])],
    ...findings.map((finding) => [
      finding.what,
      ...names.map((name) => formatCell(finding.figures[name]!)),
      ...(hasTarget ? [formatTarget(finding.target), formatVerdict(finding)] : []),
    ]),
  ];
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const align = (text: string, column: number) =>
    column === 0 || column > names.length ? text.padEnd(widths[column]!) : text.padStart(widths[column]!);
  return rows.map((row) => row.map(align).join('  ').trimEnd()).join('\n');
}

const MAX_VALUES_IN_CELL = 7;

function formatCell(value: number | readonly number[]): string {
  if (typeof value === 'number') return formatNumber(value);
  if (value.length <= MAX_VALUES_IN_CELL) return value.map(formatNumber).join(' ');
  const sorted = value.toSorted((a, b) => a - b);
  // Minimum, quartiles and maximum.
  return [0, 0.25, 0.75, 1]
    .map((share) => formatNumber(sorted[Math.round(share * (sorted.length - 1))]!))
    .join(' ');
}

/** Formats three significant digits, because the noise of the machine is larger than the rest. */
function formatNumber(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(3)));
}

function formatTarget(target: Target | null): string {
  if (target === null) return '';
  const { figure, atLeast, atMost } = target;
  return atLeast === undefined ? `${figure} ≤ ${atMost}` : `${figure} ≥ ${atLeast}`;
}

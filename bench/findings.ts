/** What a bench found, and how people read it. */

export interface Finding {
  readonly bench: string;
  /** What was measured. */
  readonly what: string;
  /** By name, in the order of the columns; a list holds one value per round. */
  readonly figures: Readonly<Record<string, number | readonly number[]>>;
  /** Which figure has to be at least, or at most, how much. */
  readonly target: Target | null;
}

export interface Target {
  readonly figure: string;
  readonly atLeast?: number;
  readonly atMost?: number;
}

export function isMet({ figures, target }: Finding): boolean | null {
  if (target === null) return null;
  const { atLeast = -Infinity, atMost = Infinity } = target;
  const value = figures[target.figure] as number;
  return value >= atLeast && value <= atMost;
}

/** One table for each run of findings that have the same figures. */
export function table(findings: readonly Finding[]): string {
  const names = Object.keys(findings[0]!.figures);
  const rows = [
    ['', ...names, 'target', ''],
    ...findings.map((finding) => [
      finding.what,
      ...names.map((name) => cell(finding.figures[name]!)),
      targetText(finding.target),
      { true: 'met', false: 'MISSED', null: '' }[String(isMet(finding))]!,
    ]),
  ];
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const align = (text: string, column: number) =>
    column === 0 || column > names.length ? text.padEnd(widths[column]!) : text.padStart(widths[column]!);
  return rows.map((row) => row.map(align).join('  ').trimEnd()).join('\n');
}

const MAX_VALUES_IN_CELL = 7;

function cell(value: number | readonly number[]): string {
  if (typeof value === 'number') return number(value);
  return (value.length > MAX_VALUES_IN_CELL ? spread(value) : value).map(number).join(' ');
}

/** The lowest, the quarters and the highest of many. */
function spread(values: readonly number[]): number[] {
  const sorted = [...values].sort((a, b) => a - b);
  return [0, 0.25, 0.75, 1].map((part) => sorted[Math.round(part * (sorted.length - 1))]!);
}

/** Three digits are as many as a noisy machine can tell. */
function number(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(3)));
}

function targetText(target: Target | null): string {
  if (target === null) return '';
  const { figure, atLeast, atMost } = target;
  return atLeast === undefined ? `${figure} ≤ ${atMost}` : `${figure} ≥ ${atLeast}`;
}

/** Output of commands on standard output. */

/** Exit status of a command that has failed. */
export const FAILURE = 1;

/** Exit status when a command has done its work and found something to look at. */
export const FINDINGS = 2;

/** The command cannot be completed. The message is one line for the operator. */
export class CommandError extends Error {
  override name = 'CommandError';
}

/** Returns the text for a terminal: control characters in user-supplied names would control it. */
export function printable(text: string | null): string {
  return text === null || text === '' ? '-' : text.replace(/\p{C}/gu, '\uFFFD');
}

export function formatTable(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  );
}

/** Returns each record as a line of JSON. */
export async function* toJsonLines(records: AsyncIterable<object>): AsyncGenerator<string> {
  for await (const record of records) yield `${JSON.stringify(record)}\n`;
}

/** A statement that may read more than the rows of one key, and reasons that several have. */
import type { Engine } from '../../runner/engines.ts';

export interface Exception {
  /** A part of the text of exactly one statement, in which each white space is one blank. */
  readonly statement: string;
  /** As the planners report them. */
  readonly findings: readonly string[];
  readonly reason: string;
  /** Default: both. */
  readonly engine?: Engine;
}

export const BATCH = 'reads only what it deletes, one batch at a time';
export const EXPORT = 'reads 1,000 rows at most';

/** Returns exceptions that have one reason: what the planners report, by the part of the statement. */
export function except(
  reason: string,
  found: Readonly<Record<string, string | readonly string[]>>,
  engine?: Engine,
): Exception[] {
  return Object.entries(found).map(([statement, findings]) => ({
    statement,
    findings: typeof findings === 'string' ? [findings] : findings,
    reason,
    ...(engine === undefined ? {} : { engine }),
  }));
}

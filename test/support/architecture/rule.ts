/** A rule of ARCHITECTURE.md, as a function that returns one line per violation. */
import type { SourceFile } from './source-files.ts';

export interface Rule {
  /** Continues the sentence "The code of src …". */
  readonly title: string;
  readonly violations: (sources: readonly SourceFile[]) => string[];
  /** Sets of files (text by path) that break the rule once each: they prove that the rule reports violations. */
  readonly broken: readonly Readonly<Record<string, string>>[];
}

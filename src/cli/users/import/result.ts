/** The result of an import, for people and for scripts. */
import type { SourceReader } from './read-source.ts';
import type { ImportCounts } from './report.ts';

export interface ImportResult {
  readonly counts: ImportCounts;
  readonly source: SourceReader | null;
  readonly isInterrupted: boolean;
}

export function toJson({ counts, source, isInterrupted }: ImportResult, isDryRun: boolean) {
  return {
    ...counts,
    ...(source === null
      ? {}
      : { dropped: source.countDropped(), unused_passwords: source.countUnusedHashes() }),
    ...(isDryRun ? { dry_run: true } : {}),
    interrupted: isInterrupted,
  };
}

export function toLines({ counts, source, isInterrupted }: ImportResult, isDryRun: boolean): string[] {
  const { imported, existing, rejected } = counts;
  const verb = isDryRun ? 'Would import' : 'Imported';
  const lines = [`${verb} ${imported}, skipped ${existing} with an account, rejected ${rejected}.`];
  const dropped = Object.entries(source?.countDropped() ?? {}).map(([name, users]) => `${name} (${users})`);
  if (dropped.length > 0) lines.push(`Not imported, with the number of users: ${dropped.join(', ')}.`);
  const unused = source?.countUnusedHashes() ?? 0;
  if (unused > 0) lines.push(`Passwords of users who are not in the export: ${unused}.`);
  if (isInterrupted) lines.push('Interrupted: import the same file again to complete it.');
  return lines;
}

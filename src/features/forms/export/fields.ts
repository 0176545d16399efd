/** The columns of exported files: the fields of all published versions of a form. */
import { type Field, parseDefinition } from '../definitions/definition.ts';
import type { VersionRow } from '../queries.ts';
import type { SubmissionRow } from '../submissions/queries.ts';

export interface ExportedField {
  /** The field in the latest version that has it. */
  readonly field: Field;
  readonly options: readonly string[];
  /** Whether the answers to a version are single values. */
  readonly isSingle: boolean;
}

/**
 * Returns the fields of all versions, oldest first, in the order in which they were first seen; those that the current one
 * does not have come last.
 */
export function findFields(
  versions: readonly Pick<VersionRow, 'number' | 'definition'>[],
  current: number | null,
): readonly ExportedField[] {
  const found = versions.map((row) => ({ number: row.number, fields: parseDefinition(row).fields }));
  const byLabel = Map.groupBy(
    found.flatMap(({ fields }) => fields),
    ({ label }) => label,
  );
  const kept = new Set(found.find(({ number }) => number === current)?.fields.map(({ label }) => label));
  const labels = [...byLabel.keys()];
  return [...labels.filter((label) => kept.has(label)), ...labels.filter((label) => !kept.has(label))].map(
    (label) => toExportedField(byLabel.get(label)!),
  );
}

function toExportedField(fields: readonly Field[]): ExportedField {
  return {
    field: fields.at(-1)!,
    options: [...new Set(fields.flatMap(({ multiple, options }) => (multiple ? (options ?? []) : [])))],
    isSingle: fields.some(({ multiple }) => !multiple),
  };
}

/** Joins options. Those in which the separator could begin have quotation marks, so that no two answers look alike. */
export function joinOptions(options: readonly string[]): string {
  return options.map((one) => (/[;"]/.test(one) ? `"${one.replaceAll('"', '""')}"` : one)).join('; ');
}

export type Answer = string | number | boolean | readonly string[];

/** Returns the answers by label, of which any name is possible. */
export function parseAnswers({ answers }: Pick<SubmissionRow, 'answers'>): ReadonlyMap<string, Answer> {
  return new Map(Object.entries(JSON.parse(answers)));
}

/** Reads metadata of other products: JSON objects, which some files have as text. */
import { patchMetadata } from '../../../../features/users/records/metadata.ts';
import { Problem } from '../../../../problems/problem.ts';
import { isObject, type RawRecord } from '../read-records.ts';

export interface ReadMetadata {
  readonly value: RawRecord | undefined;
  /** The name of the member if it is no object or exceeds the limits, and the names of members that are left out. */
  readonly dropped: readonly string[];
}

/** Reads the metadata in a member of a record, without the members `omitted`, which the product has written itself. */
export function readMetadata(record: RawRecord, name: string, omitted: readonly string[] = []): ReadMetadata {
  const given = parseJson(record[name]);
  if (given === null) return { value: undefined, dropped: [] };
  if (!isObject(given)) return { value: undefined, dropped: [name] };
  const members = Object.entries(given);
  const kept = Object.fromEntries(members.filter(([member]) => !omitted.includes(member)));
  const left = members.filter(([member, value]) => omitted.includes(member) && value !== null);
  const dropped = left.map(([member]) => `${name}.${member}`);
  return isStorable(kept) ? { value: kept, dropped } : { value: undefined, dropped: [name, ...dropped] };
}

/** Returns null for a missing value, and undefined for text that is not JSON. */
export function parseJson(value: unknown): unknown {
  if (value === undefined || value === null || value === '') return null;
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    // The caught error is dropped: its message quotes the text.
    return undefined;
  }
}

function isStorable(metadata: RawRecord): boolean {
  try {
    patchMetadata(null, metadata, 'app_metadata');
    return true;
  } catch (error) {
    if (error instanceof Problem) return false;
    throw error;
  }
}

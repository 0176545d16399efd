/** Shared parts of the readers of exports of other products. */
import { RejectedEntry, UNMATCHABLE_HASH } from '../../../../features/users/read-entry.ts';
import { patchMetadata } from '../../../../features/users/records/metadata.ts';
import { parseStrictText } from '../../../../lib/text/strict-json.ts';
import { END_OF_TIME } from '../../../../lib/time.ts';
import { Problem } from '../../../../problems/problem.ts';
import { isObject, type RawRecord } from '../read-records.ts';

interface SourceEntry {
  readonly email: unknown;
  readonly name?: unknown;
  readonly passwordHash?: unknown;
  readonly isDisabled: boolean;
  /** A time, or whether the email is verified. */
  readonly verified: unknown;
  readonly createdAt: unknown;
  readonly userMetadata?: ReadMetadata;
  readonly appMetadata?: ReadMetadata;
  /** Members that are dropped although the source lists them. */
  readonly dropped?: readonly string[];
}

export interface SourceContext {
  readonly now: number;
  /** Returns the hash of a user by id or another key, from a file of its own; undefined if there is none. */
  readonly takeHash: (key: string) => string | undefined;
  /** Whether the file of hashes has one for a user with this email. */
  readonly hasHashFor: (email: string) => boolean;
  readonly hashConfig: HashConfig | null;
}

export type HashConfig = Readonly<Record<'signerKey' | 'saltSeparator' | 'rounds' | 'memCost', string>>;

export interface Source {
  /** Members of a record that the reader uses. All others are dropped, and counted. */
  readonly members: readonly string[];
  /** The member with the users of a JSON document that is an object; null if each line is a user. */
  readonly list: string | null;
  /** The table with the users, if the product has a SQLite file. */
  readonly table?: string;
  /** @throws RejectedEntry */
  toEntry(record: RawRecord, context: SourceContext): SourceEntry;
  /** Returns the hash in a record of the second file, null if it has none, undefined if it is no such record. */
  readHash?(
    record: RawRecord,
  ): { readonly key: string; readonly email: string | null; readonly hash: string } | null | undefined;
}

export function toMembers(entry: SourceEntry, now: number): RawRecord {
  const { email, name, isDisabled, verified, createdAt } = entry;
  const passwordHash = entry.passwordHash ?? (isDisabled ? UNMATCHABLE_HASH : undefined);
  const verifiedAt = typeof verified === 'boolean' ? (verified ? now : undefined) : verified;
  const members = {
    email,
    name,
    password_hash: passwordHash,
    state: isDisabled ? 'disabled' : undefined,
    email_verified_at: toTime(verifiedAt),
    created_at: toTime(createdAt),
    user_metadata: entry.userMetadata?.value,
    app_metadata: entry.appMetadata?.value,
  };
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined && value !== null),
  );
}

/** Times are texts or epoch milliseconds. Anything else is returned as text, which is no time. */
function toTime(value: unknown): string | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  const isDigits = typeof value === 'string' && /^\d{1,16}$/.test(value);
  if (typeof value === 'string' && !isDigits) return value;
  const time = isDigits ? Number(value) : value;
  const isTime = typeof time === 'number' && Math.abs(time) <= END_OF_TIME;
  return isTime ? new Date(time).toISOString() : toText(value);
}

/** Returns a value as text. Objects have a fixed one, because their member `toString` can be anything. */
export const toText = (value: unknown): string =>
  typeof value === 'object' ? Object.prototype.toString.call(value) : String(value);

/** Returns whether a member is true, as JSON, SQLite and CSV of PostgreSQL write it. @throws RejectedEntry */
export function isTrue(record: RawRecord, name: string): boolean {
  const value = record[name] ?? false;
  if ([true, 1, 'true', 't', '1'].includes(value as string)) return true;
  if ([false, 0, 'false', 'f', '0', ''].includes(value as string)) return false;
  throw new RejectedEntry(`${name} must be true or false.`);
}

/** Returns a text, or undefined if it is missing, empty or null. @throws RejectedEntry */
export function readTextMember(record: RawRecord, name: string): string | undefined {
  const value = record[name] ?? '';
  if (typeof value !== 'string') throw new RejectedEntry(`${name} must be text.`);
  return value === '' ? undefined : value;
}

export function listDropped(source: Source, record: RawRecord, entry: SourceEntry): string[] {
  const { dropped = [], userMetadata, appMetadata } = entry;
  const members = Object.keys(record).filter(
    (name) => !source.members.includes(name) && isFilled(record[name]),
  );
  return [...members, ...dropped, ...(userMetadata?.dropped ?? []), ...(appMetadata?.dropped ?? [])];
}

/** Values without content, as JSON, SQLite and CSV of PostgreSQL write them. */
const EMPTY: readonly unknown[] = [null, undefined, '', false, 0, 'f', 'false', '{}', '[]'];

/** Returns whether a value says something: flags that are not set and empty lists do not. */
export function isFilled(value: unknown): boolean {
  if (EMPTY.includes(value)) return false;
  return typeof value !== 'object' || value === null || Object.keys(value).length > 0;
}

interface ReadMetadata {
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

/** Returns null for a missing value, and undefined for text that is not JSON as requests have it. */
export function parseJson(value: unknown): unknown {
  if (value === undefined || value === null || value === '') return null;
  if (typeof value !== 'string') return value;
  const parsed = parseStrictText(value);
  return 'value' in parsed ? parsed.value : undefined;
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

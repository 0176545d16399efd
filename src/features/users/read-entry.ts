/** Validates an entry of an import: a user of another service. */
import {
  type GivenPrehash,
  isWeakHash,
  toStoredHash,
  UnsupportedHash,
} from '../../lib/passwords/foreign-hashes.ts';
import { createUnmatchableHash, PREFIX } from '../../lib/passwords/password-parameters.ts';
import type { SchemaValue } from '../../lib/schema/json-schema.ts';
import { createValidator } from '../../lib/schema/validator.ts';
import { parseStrictText } from '../../lib/text/strict-json.ts';
import { parseTime } from '../../lib/time.ts';
import { Problem } from '../../problems/problem.ts';
import { MAX_GROUPS_OF_USER } from '../groups/group.ts';
import {
  email,
  GROUP_NAME,
  level,
  locale,
  optionalName,
  optionalPassword,
  zoneinfo,
} from './records/member-schemas.ts';
import { type Metadata, type MetadataMember, patchMetadata } from './records/metadata.ts';
import type { NewUser } from './records/new-user-queries.ts';
import { USER_STATES, type UserState } from './records/user-counters.ts';

export interface ImportEntry extends Omit<Required<NewUser>, 'id' | 'emailKey' | 'ownsEmail' | 'role'> {
  readonly email: string;
  readonly password: string | null;
  /** Names. */
  readonly groups: readonly string[];
}

/** The entry cannot be imported. The message contains no value of it, which might be a password. */
export class RejectedEntry extends Error {
  override name = 'RejectedEntry';
}

/** Those of passport-local-mongoose have 1,024. */
const MAX_HASH_CHARACTERS = 2_048;

const MAX_SALT_CHARACTERS = 128;

const text = { type: 'string' } as const;
/** The value of a column is JSON text. */
const metadata = { type: ['object', 'string', 'null'], additionalProperties: true } as const;

const schema = {
  type: 'object',
  required: ['email'],
  properties: {
    email,
    name: optionalName,
    password: optionalPassword,
    password_hash: { type: 'string', maxLength: MAX_HASH_CHARACTERS, 'x-trim': true },
    password_salt: { type: 'string', maxLength: MAX_SALT_CHARACTERS },
    level,
    locale,
    zoneinfo,
    state: { type: 'string', enum: USER_STATES, 'x-trim': true },
    email_verified_at: text,
    created_at: { type: ['string', 'number'] },
    user_metadata: metadata,
    app_metadata: metadata,
    groups: { type: ['array', 'string'], items: text },
  },
} as const;

export const ENTRY_MEMBERS: readonly string[] = Object.keys(schema.properties);
/** Members of an export that a new account does not take over. */
export const IGNORED_MEMBERS: readonly string[] = [
  'id',
  'last_login_at',
  'role',
  'totp_enabled_at',
  'updated_at',
  'version',
];

const validate = createValidator(schema);

/** What an import changes or loses without rejecting the user. */
export type ImportNote = 'no_password' | 'locked' | 'weak_hash' | 'no_creation_time';

export interface EntryOptions {
  /** Hashes of argon2 are those of an instance of this service with the same pepper. */
  readonly isOwnHash: boolean;
  /** What the other service has hashed in place of the passwords. */
  readonly prehash: GivenPrehash | null;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly note: (note: ImportNote) => void;
}

/** @throws RejectedEntry */
export function readEntry(members: Readonly<Record<string, unknown>>, options: EntryOptions): ImportEntry {
  const unknown = Object.keys(members).some(
    (name) => !ENTRY_MEMBERS.includes(name) && !IGNORED_MEMBERS.includes(name),
  );
  if (unknown) throw new RejectedEntry(`The members must be among ${ENTRY_MEMBERS.join(', ')}.`);
  const values = rejectInvalid(() => validate(withoutEmpty(members)) as SchemaValue<typeof schema>);
  const { password = null, password_hash = null, password_salt: salt = null } = values;
  if (password !== null && password_hash !== null)
    throw new RejectedEntry('password and password_hash must not be given both.');
  const { passwordHash, isLocked } = readHash({ hash: password_hash, salt, state: values.state }, options);
  const hasPassword = password !== null || passwordHash !== null;
  return {
    email: values.email,
    name: values.name ?? null,
    level: values.level ?? null,
    locale: values.locale ?? null,
    zoneinfo: values.zoneinfo ?? null,
    password,
    passwordHash,
    state: isLocked ? 'disabled' : toState(values.state, hasPassword),
    emailVerifiedAt: readTime('email_verified_at', values.email_verified_at, options.now),
    createdAt: readCreationTime(values.created_at, options),
    userMetadata: readMetadata(values.user_metadata, 'user_metadata'),
    appMetadata: readMetadata(values.app_metadata, 'app_metadata'),
    groups: readGroups(values.groups),
  };
}

/** What passwd(5), Django and others write for an account without a password; `!` before a hash locks it. */
const NO_PASSWORD = /^(?:[*!x]|!!|!\*|\*NO-PASSWORD\*|![A-Za-z0-9]{40}|\\N|NULL)$/;
const LOCKED = /^!{1,2}(?=[$:{])/;

/** For accounts that are disabled and have no password: the state needs one, and no password matches this. */
export const UNMATCHABLE_HASH = toStoredHash({ hash: createUnmatchableHash(PREFIX) });

function readHash(
  { hash, salt, state }: { hash: string | null; salt: string | null; state: UserState | undefined },
  { isOwnHash, prehash, note }: EntryOptions,
) {
  if (hash === null) return { passwordHash: null, isLocked: false };
  if (NO_PASSWORD.test(hash)) {
    note('no_password');
    return { passwordHash: state === 'disabled' ? UNMATCHABLE_HASH : null, isLocked: false };
  }
  const isLocked = LOCKED.test(hash);
  const given = { hash: hash.replace(LOCKED, ''), salt, prehash, isOwn: isOwnHash };
  const passwordHash = rejectInvalid(() => toStoredHash(given));
  if (isLocked) note('locked');
  if (isWeakHash(passwordHash)) note('weak_hash');
  return { passwordHash, isLocked };
}

/**
 * A file of columns has an empty value where another entry has one. A password of white space is no empty value. Some
 * hashes are filled with NUL.
 */
function withoutEmpty({ password_hash: hash, ...members }: Readonly<Record<string, unknown>>) {
  const filled = { ...members, password_hash: typeof hash === 'string' ? hash.replace(/\0+$/, '') : hash };
  return Object.fromEntries(
    Object.entries(filled).filter(([, value]) => value !== '' && value !== undefined),
  );
}

/** Returns what `read` returns, and rejects the entry if one of its values is invalid. */
function rejectInvalid<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof UnsupportedHash) throw new RejectedEntry(`${error.message}.`);
    if (!(error instanceof Problem)) throw error;
    const messages = Object.values(error.options.errors ?? [error.text]);
    throw new RejectedEntry(messages.flat().join(' '));
  }
}

/** An account without a password is unclaimed, also if it was active elsewhere: its user has to set one. */
function toState(given: UserState | undefined, hasPassword: boolean): UserState {
  const state = given === undefined || given === 'active' ? (hasPassword ? 'active' : 'unclaimed') : given;
  if (hasPassword === (state === 'unclaimed'))
    throw new RejectedEntry(
      `The state ${state} does not fit an entry ${hasPassword ? 'with' : 'without'} a password.`,
    );
  return state;
}

function readTime(name: string, given: string | undefined, now: number): number | null {
  if (given === undefined) return null;
  const time = parseTime(given);
  if (time === null) throw new RejectedEntry(`${name} must be a time such as 2026-01-31T12:00:00Z.`);
  if (time < 0 || time > now) throw new RejectedEntry(`${name} must be between 1970 and now.`);
  return time;
}

/** A time that cannot be read is lost, not the user. */
function readCreationTime(given: string | number | undefined, { now, note }: EntryOptions): number {
  const time = given === undefined ? now : parseTime(String(given));
  if (time !== null && time >= 0 && time <= now) return time;
  note('no_creation_time');
  return now;
}

function readMetadata(given: Metadata | string | null | undefined, member: MetadataMember): string | null {
  const metadata = typeof given === 'string' ? parseObject(given, member) : given;
  return rejectInvalid(() => patchMetadata(null, metadata, member));
}

/** Returns the names, each once: those of a list, or of a text that separates them by spaces or commas. */
function readGroups(given: readonly string[] | string = []): readonly string[] {
  const names = [...new Set(typeof given === 'string' ? given.trim().split(/[\s,;]+/) : given)];
  if (!names.every((name) => new RegExp(GROUP_NAME).test(name)))
    throw new RejectedEntry('groups must have names of groups only.');
  if (names.length > MAX_GROUPS_OF_USER)
    throw new RejectedEntry(`groups must not have more than ${MAX_GROUPS_OF_USER} names.`);
  return names;
}

function parseObject(text: string, member: MetadataMember): Metadata {
  const parsed = parseStrictText(text);
  if ('reason' in parsed) throw new RejectedEntry(`${member} must be a JSON object. ${parsed.reason}`);
  const { value } = parsed;
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Metadata;
  throw new RejectedEntry(`${member} must be a JSON object.`);
}

/** Filters of the list of users. */
import type { Role } from '../../../../callers/admin-scopes.ts';
import type { MetadataCondition } from '../metadata.ts';
import type { UserState } from '../user-counters.ts';

/** In epoch milliseconds: from inclusive, to exclusive; null for no limit. */
export interface TimeRange {
  readonly from: number | null;
  readonly to: number | null;
}

export interface SearchTerm {
  /** Normalized: a part of a name or email, or one or two characters at the beginning of a word. */
  readonly key: string;
  /** The start of an id; null if it cannot be one. */
  readonly idPrefix: string | null;
  /** The first characters of a token; null if it cannot be one. */
  readonly firstCharacters: string | null;
}

/** A user has to match every member that is not null. */
export interface UserFilter {
  readonly state: UserState | null;
  readonly emailKey: string | null;
  readonly level: string | null;
  readonly role: Role | null;
  /** Its name. */
  readonly group: string | null;
  readonly isVerified: boolean | null;
  readonly created: TimeRange;
  readonly lastLogin: TimeRange;
  readonly metadata: MetadataCondition | null;
  readonly search: SearchTerm | null;
}

export const ANY_TIME: TimeRange = { from: null, to: null };

export const NO_FILTER: UserFilter = {
  state: null,
  emailKey: null,
  level: null,
  role: null,
  group: null,
  isVerified: null,
  created: ANY_TIME,
  lastLogin: ANY_TIME,
  metadata: null,
  search: null,
};

export const isLimited = ({ from, to }: TimeRange): boolean => from !== null || to !== null;

/** Returns both limits of a range of times. */
export function toLimits({ from, to }: TimeRange): [number, number] {
  return [from ?? Number.MIN_SAFE_INTEGER, to ?? Number.MAX_SAFE_INTEGER];
}

/** Whether some users do not match. */
export function hasConditions({ created, lastLogin, ...others }: UserFilter): boolean {
  return isLimited(created) || isLimited(lastLogin) || Object.values(others).some((value) => value !== null);
}

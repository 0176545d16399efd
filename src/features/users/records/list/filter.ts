/** Filters of the list of users. */
import { type MetadataCondition, matchesCondition } from '../metadata-index/members.ts';
import type { UserState } from '../user-states.ts';
import type { ListedUser } from './listed-user.ts';
import { matchesTerm, type SearchTerm } from './search-term.ts';

/** In epoch milliseconds: from inclusive, to exclusive; null for no limit. */
export interface TimeRange {
  readonly from: number | null;
  readonly to: number | null;
}

/** A user has to match every member that is not null. */
export interface UserFilter {
  readonly state: UserState | null;
  readonly emailKey: string | null;
  readonly level: string | null;
  readonly isVerified: boolean | null;
  readonly created: TimeRange;
  readonly lastLogin: TimeRange;
  readonly metadata: MetadataCondition | null;
  readonly search: SearchTerm | null;
}

const ANY_TIME: TimeRange = { from: null, to: null };

/** Matches every user. */
export const NO_FILTER: UserFilter = {
  state: null,
  emailKey: null,
  level: null,
  isVerified: null,
  created: ANY_TIME,
  lastLogin: ANY_TIME,
  metadata: null,
  search: null,
};

export function isLimited({ from, to }: TimeRange): boolean {
  return from !== null || to !== null;
}

/** Whether the user matches. `tokenOwners`: ids of the users that have the token of the search. */
export function matchesFilter(
  user: ListedUser,
  filter: UserFilter,
  tokenOwners: ReadonlySet<string>,
): boolean {
  const { state, emailKey, level, isVerified, metadata, search } = filter;
  return (
    (state === null || user.state === state) &&
    (emailKey === null || user.email_key === emailKey) &&
    (level === null || user.level === level) &&
    (isVerified === null || (user.email_verified_at !== null) === isVerified) &&
    isWithin(user.created_at, filter.created) &&
    isWithin(user.last_login_at, filter.lastLogin) &&
    (metadata === null || matchesCondition(user, metadata)) &&
    (search === null || tokenOwners.has(user.id) || matchesTerm(user, search))
  );
}

/** Users without a login are in no limited range. */
function isWithin(time: number | null, range: TimeRange): boolean {
  if (!isLimited(range)) return true;
  const { from, to } = range;
  return time !== null && (from === null || time >= from) && (to === null || time < to);
}

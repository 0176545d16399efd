/** Reads all users of a list, page by page. */
import { ApiError } from '../../../common/api.ts';
import type { User, UserList } from '../../../common/api-types.ts';
import { formatCount } from '../../../common/components.tsx';
import { request } from '../../session.ts';
import { apiPath, type ListView } from '../list-view.ts';

/** Few enough for the memory of the page, and for an action that a person waits for. */
export const MAX_SELECTED = 20_000;
const PAGE_SIZE = '100';

export interface MatchingRead {
  readonly signal: AbortSignal;
  /** Called with the number of users read so far. */
  readonly onProgress: (count: number) => void;
}

/**
 * Returns the users that match the filter now, in the order of the list: users that match later are not among them.
 * @throws ApiError with code `too_many_users` when more than MAX_SELECTED match
 */
export async function readMatchingUsers(
  view: ListView,
  { signal, onProgress }: MatchingRead,
): Promise<User[]> {
  // By id: a user whose place in the order changes meanwhile may be on two pages.
  const users = new Map<string, User>();
  let cursor: string | null = null;
  do {
    const path: string = apiPath({ ...view, cursor }, PAGE_SIZE);
    const { body } = await request<UserList>(path, { signal });
    for (const user of body.data) users.set(user.id, user);
    if (users.size > MAX_SELECTED) throw tooManyError();
    onProgress(users.size);
    cursor = body.next_cursor;
  } while (cursor !== null);
  return [...users.values()];
}

function tooManyError(): ApiError {
  const error = `More than ${formatCount(MAX_SELECTED)} users match. Narrow the filter, or use the API.`;
  return new ApiError(0, { error, code: 'too_many_users' });
}

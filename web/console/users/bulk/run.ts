/** Runs an action for many users by batches. */
import { ApiError, type ProblemBody } from '../../../common/api.ts';
import type { User, UserList } from '../../../common/api-types.ts';
import { formatCount } from '../../../common/components.tsx';
import { toApiError } from '../../../common/use-load.ts';
import { post } from '../../records/requests.ts';
import { request } from '../../session.ts';
import { apiPath, type ListView } from '../columns.tsx';
import { users } from '../record.tsx';
import { BULK_ACTIONS, type BulkActionId, usersText } from './actions.ts';

interface Succeeded {
  readonly user: User;
  /** The version afterwards; that of the user if nothing has changed, undefined if the action does not change users. */
  readonly version: number | undefined;
}

interface Failed {
  readonly user: User;
  readonly error: ApiError;
}

export interface RunOutcome {
  readonly succeeded: readonly Succeeded[];
  readonly failed: readonly Failed[];
}

interface BatchOptions {
  /** Leaves out the users that have not been sent; a request under way is not interrupted. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (processed: number) => void;
}

type Result = Partial<ProblemBody> & {
  readonly index: number;
  readonly status: number;
  readonly data?: { readonly version: number };
};

/** Few enough for progress and a stop within a second. */
const BATCH_SIZE = 100;

/** Never rejects: failures are in the outcome. */
export async function runBatches(
  action: BulkActionId,
  users: readonly User[],
  { signal, onProgress }: BatchOptions = {},
): Promise<RunOutcome> {
  const succeeded: Succeeded[] = [];
  const failed: Failed[] = [];
  let end: ApiError | undefined;
  for (let at = 0; at < users.length; at += BATCH_SIZE) {
    const batch = users.slice(at, at + BATCH_SIZE);
    if (signal?.aborted) end ??= notTried('you stopped');
    const results = end ?? (await sendBatch(action, batch).catch(toApiError));
    for (const [index, user] of batch.entries()) {
      const error = results instanceof ApiError ? results : toError(results[index]!);
      if (error === undefined) succeeded.push({ user, version: (results as Result[])[index]!.data?.version });
      else failed.push({ user, error });
    }
    if (results instanceof ApiError && results.status === 401) end ??= notTried('the session had ended');
    onProgress?.(succeeded.length + failed.length);
  }
  return { succeeded, failed };
}

function sendBatch(action: BulkActionId, users: readonly User[]): Promise<readonly Result[]> {
  const operations = users.map(({ id, version }) =>
    action === 'revoke' ? { action, id } : { action, id, version },
  );
  return post('/api/v1/users/batch', { operations });
}

function toError({ status, error, code, errors }: Result): ApiError | undefined {
  if (error === undefined || code === undefined) return undefined;
  return new ApiError(status, { error, code, ...(errors && { errors }) });
}

function notTried(reason: string): ApiError {
  return new ApiError(0, { error: `Not tried, because ${reason}.`, code: 'not_tried' });
}

/** Whether the user is no longer as they were listed. */
export function isConflict({ error }: Failed): boolean {
  return error.code === 'version_conflict';
}

/** Returns the users of a second attempt: as they are now, if the first one was based on an earlier version. */
export function loadUsersForRetry(failed: readonly Failed[]): Promise<User[]> {
  return Promise.all(failed.map(async (each) => (isConflict(each) ? users.read(each.user.id) : each.user)));
}

/** Whether the action has changed the user. */
export function hasChanged({ user, version }: Succeeded): boolean {
  return version !== user.version;
}

/** Returns, for example, `2 users disabled, 1 was disabled already, 1 failed`. */
export function outcomeText(action: BulkActionId, { succeeded, failed }: RunOutcome): string {
  const { done, unchanged } = BULK_ACTIONS[action];
  const changed = succeeded.filter(hasChanged).length;
  const others = succeeded.length - changed;
  const parts = [`${changed === 0 ? 'No user' : usersText(changed)} ${done}`];
  if (others > 0) parts.push(`${formatCount(others)} ${others === 1 ? 'was' : 'were'} ${unchanged}`);
  if (failed.length > 0) parts.push(`${formatCount(failed.length)} failed`);
  return parts.join(', ');
}

/** Few enough for the memory of the page, and for an action that a person waits for. */
const MAX_SELECTED = 20_000;
const PAGE_SIZE = '100';

interface MatchingRead {
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

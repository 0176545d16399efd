/** Runs an action for many users. */
import { ApiError } from '../../../common/api.ts';
import type { User } from '../../../common/api-types.ts';
import { toApiError } from '../../../common/use-load.ts';
import { isOutdated, loadUser } from '../../user-record.tsx';

export interface Succeeded {
  readonly before: User;
  /** Null when the action returns no user. */
  readonly after: User | null;
}

export interface Failed {
  readonly user: User;
  readonly error: ApiError;
}

export interface RunOutcome {
  readonly succeeded: readonly Succeeded[];
  readonly failed: readonly Failed[];
}

export interface UserRun {
  readonly run: (user: User) => Promise<User | null>;
  /** Leaves out the users that have not begun; requests under way are not interrupted. */
  readonly signal: AbortSignal;
  readonly onProgress: (outcome: RunOutcome) => void;
}

/** Few enough that other clients are not delayed. */
const CONCURRENCY = 4;

/** Never rejects: what failed is in the outcome, in the order of the users. */
export async function runForUsers(
  users: readonly User[],
  { run, signal, onProgress }: UserRun,
): Promise<RunOutcome> {
  const succeeded: Succeeded[] = [];
  const failed: Failed[] = [];
  const queue = [...users];
  let isSignedOut = false;
  const work = async () => {
    for (let user = queue.shift(); user !== undefined; user = queue.shift()) {
      try {
        if (signal.aborted || isSignedOut) throw notTriedError(isSignedOut);
        succeeded.push({ before: user, after: await run(user) });
      } catch (error) {
        const failure = toApiError(error);
        isSignedOut ||= failure.status === 401;
        failed.push({ user, error: failure });
      }
      onProgress({ succeeded, failed });
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  const place = new Map(users.map(({ id }, index) => [id, index]));
  failed.sort((one, other) => place.get(one.user.id)! - place.get(other.user.id)!);
  return { succeeded, failed };
}

function notTriedError(isSignedOut: boolean): ApiError {
  const error = isSignedOut ? 'Not tried, because the session had ended.' : 'Not tried, because you stopped.';
  return new ApiError(0, { error, code: 'not_tried' });
}

/** Returns the users of a second attempt: as they are now, if the first one was based on an earlier version. */
export function loadUsersForRetry(failed: readonly Failed[]): Promise<User[]> {
  const load = ({ user, error }: Failed) => (isOutdated(error) ? loadUser(user.id) : user);
  return Promise.all(failed.map(async (each) => load(each)));
}

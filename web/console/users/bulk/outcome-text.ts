/** Describes the outcome of an action on many users. */
import { formatCount } from '../../../common/components.tsx';
import { type BulkAction, usersText } from './bulk-actions.ts';
import type { RunOutcome, Succeeded } from './run-for-users.ts';

/** Whether the action has changed the user, if it returns users at all. */
export function hasChanged({ before, after }: Succeeded): boolean {
  return after === null || after.state !== before.state;
}

/** Returns, for example, `2 users disabled, 1 was disabled already, 1 failed`. */
export function outcomeText({ done, unchanged }: BulkAction, { succeeded, failed }: RunOutcome): string {
  const changed = succeeded.filter(hasChanged).length;
  const others = succeeded.length - changed;
  const parts = [`${changed === 0 ? 'No user' : usersText(changed)} ${done}`];
  if (others > 0) parts.push(`${formatCount(others)} ${others === 1 ? 'was' : 'were'} ${unchanged}`);
  if (failed.length > 0) parts.push(`${formatCount(failed.length)} failed`);
  return parts.join(', ');
}

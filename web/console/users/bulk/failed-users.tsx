import { formatCount } from '../../../common/components.tsx';
import { Dialog } from '../../../common/dialog.tsx';
import { ActionForm, Submit } from '../../../common/form.tsx';
import { Link } from '../../../common/router.tsx';
import { useAction } from '../../../common/use-action.ts';
import { isOutdated, toLabel } from '../../user-record.tsx';
import { type BulkAction, usersText } from './bulk-actions.ts';
import { outcomeText } from './outcome-text.ts';
import { loadUsersForRetry } from './run-for-users.ts';
import type { BulkRun } from './use-bulk-run.ts';

/** After a stop, thousands of users may not have been tried. */
const MAX_LISTED = 100;

/** Lists the users whose action failed, with the reasons. */
export function FailedUsers({ action, bulk }: { readonly action: BulkAction; readonly bulk: BulkRun }) {
  const retrying = useAction();
  const { failed } = bulk.outcome;
  const isConflict = failed.some(({ error }) => isOutdated(error));
  const retry = async () => bulk.start(await loadUsersForRetry(failed));
  return (
    <Dialog title={`${usersText(failed.length)} not ${action.done}`} onClose={bulk.close}>
      <p role="status">{outcomeText(action, bulk.outcome)}.</p>
      <ul class="affected failures" aria-label="Failed users">
        {failed.slice(0, MAX_LISTED).map(({ user, error }) => (
          <li key={user.id}>
            <Link to={`/console/users/${user.id}`}>
              <bdi>{toLabel(user)}</bdi>
            </Link>
            <span class="muted">
              {isOutdated(error)
                ? 'Somebody else has changed this user since they were listed.'
                : error.message}
            </span>
          </li>
        ))}
        {failed.length > MAX_LISTED && (
          <li class="muted">and {formatCount(failed.length - MAX_LISTED)} more</li>
        )}
      </ul>
      {isConflict && <p>Trying again uses the current version of each user, including changes by others.</p>}
      <ActionForm action={retrying} onSubmit={retry} failure="It could not be tried again">
        <div class="buttons">
          <button type="button" onClick={bulk.close}>
            Close
          </button>
          <Submit action={retrying}>Retry failed users</Submit>
        </div>
      </ActionForm>
    </Dialog>
  );
}

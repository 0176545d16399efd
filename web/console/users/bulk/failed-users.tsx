/** Lists the users whose action failed, with the reasons. */
import { formatCount } from '../../../common/components.tsx';
import { Dialog } from '../../../common/dialog.tsx';
import { ActionForm, Submit } from '../../../common/form.tsx';
import { Link } from '../../../common/router.tsx';
import { useAction } from '../../../common/use-action.ts';
import { toLabel } from '../record.tsx';
import { BULK_ACTIONS, type BulkActionId, usersText } from './actions.ts';
import { isConflict, loadUsersForRetry, outcomeText } from './run.ts';
import type { BulkRun } from './use-bulk-run.ts';

/** After a stop, thousands of users may not have been tried. */
const MAX_LISTED = 100;

interface FailedUsersProps {
  readonly action: BulkActionId;
  readonly bulk: BulkRun;
}

export function FailedUsers({ action, bulk }: FailedUsersProps) {
  const retrying = useAction();
  const { failed } = bulk.outcome;
  const retry = async () => void bulk.start(await loadUsersForRetry(failed));
  return (
    <Dialog title={`${usersText(failed.length)} not ${BULK_ACTIONS[action].done}`} onClose={bulk.close}>
      <p role="status">{outcomeText(action, bulk.outcome)}.</p>
      <ul class="affected failures" aria-label="Failed users">
        {failed.slice(0, MAX_LISTED).map((each) => (
          <li key={each.user.id}>
            <Link to={`/console/users/${each.user.id}`}>
              <bdi>{toLabel(each.user)}</bdi>
            </Link>
            <span class="muted">
              {isConflict(each)
                ? 'Somebody else has changed this user since they were listed.'
                : each.error.message}
            </span>
          </li>
        ))}
        {failed.length > MAX_LISTED && (
          <li class="muted">and {formatCount(failed.length - MAX_LISTED)} more</li>
        )}
      </ul>
      {failed.some(isConflict) && (
        <p>Trying again uses the current version of each user, including changes by others.</p>
      )}
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

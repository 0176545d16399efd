/** Merges another account of the same person into this one, or this one into it. */
import { useState } from 'preact/hooks';
import type { User } from '../../common/api-types.ts';
import { ConfirmDialog } from '../../common/confirm-dialog.tsx';
import { Dialog } from '../../common/dialog.tsx';
import { navigate } from '../../common/router.tsx';
import { toggleItem } from '../records/record-form.tsx';
import { ifMatch, orReload } from '../records/requests.ts';
import { request } from '../session.ts';
import { announce } from '../status.tsx';
import { toLabel, type UserDialog, users } from '../users/record.tsx';
import { UserSearch } from '../users/user-search.tsx';
import { Choices, SideBySide } from './merge-choices.tsx';

export function MergeUsers(dialog: UserDialog) {
  const [other, setOther] = useState<User | null>(null);
  if (other !== null) return <ConfirmMerge {...dialog} other={other} />;
  const { record: user, onClose } = dialog;
  // Duplicates often have the same name.
  return (
    <Dialog title={`Merge ${toLabel(user)} with…`} onClose={onClose}>
      <div class="stack tight">
        <UserSearch
          label="The other account of this person"
          initial={user.name ?? ''}
          isOffered={({ id }) => id !== user.id}
          onFound={setOther}
        />
        <div class="buttons">
          <button type="button" class="secondary outline" onClick={onClose}>
            Cancel
          </button>
        </div>
      </div>
    </Dialog>
  );
}

function ConfirmMerge({ record: user, onChange, onClose, other }: UserDialog & { readonly other: User }) {
  const [isSwapped, setSwapped] = useState(false);
  const [take, setTake] = useState<readonly string[]>(['identities', 'submissions']);
  const [metadata, setMetadata] = useState('keep');
  const [target, from] = isSwapped ? [other, user] : [user, other];
  const merge = async () => {
    const headers = ifMatch(target);
    const body = { from: from.id, take, metadata };
    await orReload(request(users.pathTo(target.id, '/merge'), { method: 'POST', headers, body }), onChange);
    announce(`${toLabel(from)} was merged into ${toLabel(target)}.`);
    onClose();
    if (isSwapped) navigate(`/console/users/${target.id}`, { replace: true });
    else onChange();
  };
  const toggle = (name: string) => () => setTake(toggleItem(take, name));
  return (
    <ConfirmDialog
      title={`Merge ${toLabel(from)} into ${toLabel(target)}?`}
      verb="Merge accounts"
      failure="The accounts were not merged"
      expected={{ label: `Type ${toLabel(from)} to confirm`, text: toLabel(from) }}
      onConfirm={merge}
      onClose={onClose}
    >
      <p>
        <bdi>{toLabel(from)}</bdi> is erased, with everything that is not taken over. Links that were sent to
        either stop working, and both verified addresses get a notice. This cannot be undone.
      </p>
      <div class="row">
        <button type="button" class="compact" onClick={() => setSwapped(!isSwapped)}>
          Keep the other account instead
        </button>
      </div>
      <SideBySide {...{ target, from, take, toggle }} />
      <Choices {...{ take, toggle, metadata, setMetadata }} />
    </ConfirmDialog>
  );
}

/** Erases the user. */
import { useState } from 'preact/hooks';
import { CodeBlock } from '../../common/code-block.tsx';
import { ConfirmDialog } from '../../common/confirm-dialog.tsx';
import { CloseButton, Dialog } from '../../common/dialog.tsx';
import { navigate } from '../../common/router.tsx';
import { ifMatch, orReload } from '../records/requests.ts';
import { read } from '../session.ts';
import { announce } from '../status.tsx';
import { toLabel, type UserDialog, users } from '../users/record.tsx';

export function EraseUser({ record: user, onChange, onClose }: UserDialog) {
  const [receipt, setReceipt] = useState<object | null>(null);
  const label = toLabel(user);
  const erase = async () => {
    const headers = { ...ifMatch(user), prefer: 'return=representation' };
    const erasure = read<object>(users.pathTo(user.id), { method: 'DELETE', headers });
    const erased = await orReload(erasure, onChange);
    announce(`${label} was erased.`);
    setReceipt(erased);
  };
  const leave = () => navigate(users.list.to, { state: users.list.state });
  return (
    <>
      {receipt === null && (
        <ConfirmDialog
          title={`Erase ${label}?`}
          verb="Erase user"
          failure="The user was not erased"
          expected={{ label: `Type ${label} to confirm`, text: label }}
          onConfirm={erase}
          onClose={onClose}
        >
          <p>
            The record, all tokens, links, security events and statistics of the user are erased permanently.
            The user is signed out at once.
          </p>
          <p class="small">
            Bytes of it may remain: with SQLite in the journal until about 4 MiB more are written and in the
            index of the search until the next day, with PostgreSQL until its next <code>vacuum</code>, and in
            backups. <a href="/docs/security#erased-data">What remains where</a>
          </p>
        </ConfirmDialog>
      )}
      {receipt && (
        <Dialog title={`${label} was erased`} onClose={leave}>
          <CodeBlock label="Receipt" text={JSON.stringify(receipt, null, 2)} />
          <CloseButton text="Done" class="primary" onClose={leave} />
        </Dialog>
      )}
    </>
  );
}

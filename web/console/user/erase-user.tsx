/** Erases the user. */

import { useState } from 'preact/hooks';
import { ConfirmDialog } from '../../common/confirm-dialog.tsx';
import { Panel } from '../../common/panel.tsx';
import { navigate } from '../../common/router.tsx';
import { request } from '../session.ts';
import { announce } from '../status.tsx';
import { ifMatch, toLabel, userPath } from '../user-record.tsx';
import { lastList } from '../users/list-view.ts';
import { orReload, type UserSection } from './user-section.ts';

export function EraseUser({ user, onChange }: UserSection) {
  const [isOpen, setOpen] = useState(false);
  const label = toLabel(user);
  const erase = async () => {
    const erasure = request(userPath(user.id), { method: 'DELETE', headers: ifMatch(user) });
    await orReload(erasure, onChange);
    navigate(lastList.to, { state: lastList.state });
    announce(`${label} was erased.`);
  };
  return (
    <Panel title="Erase" id="erase">
      <div class="body stack tight">
        <p class="small">Erases everything that is stored about the user. This cannot be undone.</p>
        <button type="button" class="danger" onClick={() => setOpen(true)}>
          Erase user…
        </button>
      </div>
      {isOpen && (
        <ConfirmDialog
          title={`Erase ${label}?`}
          verb="Erase user"
          failure="The user was not erased"
          expected={{ label: `Type ${label} to confirm`, text: label }}
          onConfirm={erase}
          onClose={() => setOpen(false)}
        >
          <p>
            The record, all tokens, links, security events and statistics of the user are erased permanently.
            The user is logged out at once.
          </p>
        </ConfirmDialog>
      )}
    </Panel>
  );
}

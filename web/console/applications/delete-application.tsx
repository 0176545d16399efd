/** Deletes an application, after a question that names what ends. */
import { useState } from 'preact/hooks';
import { ConfirmDialog } from '../../common/confirm-dialog.tsx';
import { Panel } from '../../common/panel.tsx';
import { navigate } from '../../common/router.tsx';
import { request } from '../session.ts';
import { announce } from '../status.tsx';
import { APPLICATIONS, type ApplicationSection, applicationPath, ifMatch } from './record.ts';

export function DeleteApplication({ application }: ApplicationSection) {
  const [isOpen, setOpen] = useState(false);
  const { name } = application;
  const remove = async () => {
    await request(applicationPath(application), { method: 'DELETE', headers: ifMatch(application) });
    navigate(APPLICATIONS);
    announce(`The application ${name} was deleted.`);
  };
  return (
    <Panel title="Delete this application" id="delete">
      <div class="body stack tight">
        <p class="small">Nobody can sign in to it any more. Accounts stay.</p>
        <div>
          <button type="button" class="danger" onClick={() => setOpen(true)}>
            Delete…
          </button>
        </div>
      </div>
      {isOpen && (
        <ConfirmDialog
          title={`Delete ${name}?`}
          verb="Delete application"
          failure="The application was not deleted"
          onConfirm={remove}
          onClose={() => setOpen(false)}
        >
          <p>With it, you lose:</p>
          <ul class="bullets">
            <li>its tokens: people who are signed in to it are signed out at once</li>
            <li>its client id and secret: another application with this name gets others</li>
          </ul>
          <p>Accounts stay. This cannot be undone.</p>
        </ConfirmDialog>
      )}
    </Panel>
  );
}

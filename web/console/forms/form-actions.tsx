/** Duplicates and deletes a form. */
import { useState } from 'preact/hooks';
import type { Form } from '../../common/api-types.ts';
import { Failure } from '../../common/components.tsx';
import { ConfirmDialog } from '../../common/confirm-dialog.tsx';
import { Panel } from '../../common/panel.tsx';
import { navigate } from '../../common/router.tsx';
import { useAction } from '../../common/use-action.ts';
import { post } from '../records/requests.ts';
import { request } from '../session.ts';
import { announce } from '../status.tsx';
import { orReload } from '../user/user-section.ts';
import { forgetDraft } from './draft.tsx';
import { counted, FORMS, formPath, ifMatch, linkToForm } from './record.tsx';

interface FormActionsProps {
  readonly form: Form;
  readonly onChange: () => void;
}

export function FormActions({ form, onChange }: FormActionsProps) {
  const { id, title, submissions } = form;
  const [isDeleting, setDeleting] = useState(false);
  const action = useAction();
  const duplicate = async () => {
    const copy = await post<Form>(`${formPath(id)}/duplicate`, {});
    navigate(linkToForm(copy.id));
    announce('This is the copy, a draft without submissions. Give it a title of its own.');
  };
  const remove = async () => {
    await orReload(request(formPath(id), { method: 'DELETE', headers: ifMatch(form) }), onChange);
    forgetDraft(id);
    navigate(FORMS);
    announce(`${title} was deleted.`);
  };
  return (
    <Panel title="Actions" id="actions">
      <div class="body row">
        <button type="button" aria-busy={action.isBusy} onClick={() => action.run(duplicate)}>
          Duplicate
        </button>
        {action.error && <Failure what="The form was not duplicated" error={action.error} />}
        <button type="button" class="danger" onClick={() => setDeleting(true)}>
          Delete form…
        </button>
      </div>
      {isDeleting && (
        <ConfirmDialog
          title="Delete this form?"
          verb="Delete form"
          failure="The form was not deleted"
          expected={{ label: `Type ${title} to confirm`, text: title }}
          onConfirm={remove}
          onClose={() => setDeleting(false)}
        >
          <p>
            <strong>{counted(submissions.accepted + submissions.held, 'submission')}</strong> and all versions
            of <bdi>{title}</bdi> are deleted. This cannot be undone. To accept no more submissions, close the
            form instead.
          </p>
        </ConfirmDialog>
      )}
    </Panel>
  );
}

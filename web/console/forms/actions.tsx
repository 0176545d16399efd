/** Publishes, closes and reopens a form. */
import { useState } from 'preact/hooks';
import type { Form, FormVersion } from '../../common/api-types.ts';
import { Failure } from '../../common/components.tsx';
import { ConfirmDialog } from '../../common/confirm-dialog.tsx';
import { LoadState } from '../../common/panel.tsx';
import { useAction } from '../../common/use-action.ts';
import { request, useView } from '../session.ts';
import { announce } from '../status.tsx';
import { orReload } from '../user/user-section.ts';
import { listDefinitionChanges, listFieldChanges } from './changes.ts';
import { type FormDraft, toStoredBody } from './draft.tsx';
import { formPath, hasNewDraft, ifMatch } from './record.tsx';

interface StateActionsProps {
  readonly form: Form;
  readonly draft: FormDraft;
  readonly onChange: () => void;
}

export function StateActions({ form, draft, onChange }: StateActionsProps) {
  const [isPublishing, setPublishing] = useState(false);
  const { isBusy, error, run } = useAction();
  const openDialog = () => setPublishing(true);
  return (
    <div class="row">
      {form.state !== 'draft' && (
        <button type="button" aria-busy={isBusy} onClick={() => run(() => toggle(form, onChange))}>
          {form.state === 'closed' ? 'Reopen' : 'Close'}
        </button>
      )}
      {(form.state === 'draft' || hasNewDraft(form) || draft.isDirty) && (
        <button
          type="button"
          class="primary"
          aria-busy={draft.isBusy}
          onClick={() => (draft.isDirty ? draft.save(openDialog) : openDialog())}
        >
          Publish…
        </button>
      )}
      {error && <Failure what="The form was not changed" error={error} />}
      {isPublishing && <PublishDialog form={form} onChange={onChange} onClose={() => setPublishing(false)} />}
    </div>
  );
}

/** Only at the revision that this page shows. @throws ApiError */
async function changeState(form: Form, action: string, onChange: () => void): Promise<Form> {
  const path = `${formPath(form.id)}/${action}`;
  const sent = request<{ data: Form }>(path, { method: 'POST', headers: ifMatch(form) });
  const { data } = (await orReload(sent, onChange)).body;
  onChange();
  return data;
}

/** Opens or closes the form, and offers to undo it. */
async function toggle(form: Form, onChange: () => void): Promise<void> {
  const isOpened = form.state === 'closed';
  const changed = await changeState(form, isOpened ? 'reopen' : 'close', onChange);
  announce(isOpened ? 'The form is open again.' : 'The form was closed: it accepts no submissions.', {
    undo: () => toggle(changed, onChange),
  });
}

interface PublishDialogProps extends Pick<StateActionsProps, 'form' | 'onChange'> {
  readonly onClose: () => void;
}

function PublishDialog({ form, onChange, onClose }: PublishDialogProps) {
  const { draft_version: version, state } = form;
  const publish = async () => {
    await changeState(form, 'publish', onChange);
    announce(`Version ${version} is published.`);
    onClose();
  };
  return (
    <ConfirmDialog
      title={`Publish version ${version}?`}
      verb={`Publish version ${version}`}
      failure="The form was not published"
      isDestructive={false}
      onConfirm={publish}
      onClose={onClose}
    >
      <p>
        People see it at once{state === 'closed' && ', and the form is open again'}. Submissions keep the
        version that they answered.
      </p>
      <Differences form={form} />
    </ConfirmDialog>
  );
}

const TONES = { added: 'good', changed: 'warn', removed: 'bad' } as const;

/** What the draft changes in the version that is published. */
function Differences({ form }: { readonly form: Form }) {
  const { published_version: published, draft_version } = form;
  const path = `${formPath(form.id)}/versions/${published ?? draft_version}`;
  const [loaded, retry] = useView<{ data: FormVersion }>(path);
  const version = loaded.data?.data;
  if (version === undefined) return <LoadState loaded={loaded} what="the version" retry={retry} />;
  const body = toStoredBody(form);
  const changes =
    published === null
      ? listFieldChanges([], body.fields)
      : listDefinitionChanges(toStoredBody({ ...form, ...version }), body);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a long list scrolls, also by keyboard
    <ul class="affected changes" aria-label="Changes" tabIndex={0}>
      {changes.map(({ kind, name, detail }) => (
        <li key={`${kind} ${name}`}>
          <span class={`badge ${TONES[kind]}`}>{kind}</span>
          <span>
            <bdi>{name}</bdi>
            <small>{detail}</small>
          </span>
        </li>
      ))}
    </ul>
  );
}

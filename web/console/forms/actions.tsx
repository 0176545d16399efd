/** Publishes, closes and reopens a form. */
import { useState } from 'preact/hooks';
import type { Form, FormVersion } from '../../common/api-types.ts';
import { Button, LoadState, Panel } from '../../common/components.tsx';
import { navigate } from '../../common/router.tsx';
import {
  ActionButton,
  ConfirmAction,
  type RecordAction,
  RecordActions,
  type RecordDialogProps,
} from '../records/record-actions.tsx';
import { ifMatch, orReload, type Section } from '../records/requests.ts';
import { read, useData } from '../session.ts';
import { announce } from '../status.tsx';
import { listDefinitionChanges, listFieldChanges } from './changes.ts';
import { type FormDraft, forgetDraft, toStoredBody } from './draft.tsx';
import { counted, forms, hasNewDraft, linkToForm } from './record.tsx';

interface StateActionsProps {
  readonly form: Form;
  readonly draft: FormDraft;
  readonly onChange: () => void;
}

export function StateActions({ form, draft, onChange }: StateActionsProps) {
  const [isPublishing, setPublishing] = useState(false);
  const openDialog = () => setPublishing(true);
  return (
    <div class="row">
      {form.state !== 'draft' && (
        <ActionButton
          text={form.state === 'closed' ? 'Reopen' : 'Close'}
          failure="The form was not changed"
          run={() => toggle(form, onChange)}
        />
      )}
      {(form.state === 'draft' || hasNewDraft(form) || draft.isDirty) && (
        <Button
          text="Publish…"
          class="primary"
          aria-busy={draft.isBusy}
          onClick={() => (draft.isDirty ? draft.save(openDialog) : openDialog())}
        />
      )}
      {isPublishing && <PublishDialog form={form} onChange={onChange} onClose={() => setPublishing(false)} />}
    </div>
  );
}

/** Only at the revision that this page shows. @throws ApiError */
async function changeState(form: Form, action: string, onChange: () => void): Promise<Form> {
  const path = forms.pathTo(form.id, `/${action}`);
  const sent = read<Form>(path, { method: 'POST', headers: ifMatch(form) });
  const changed = await orReload(sent, onChange);
  onChange();
  return changed;
}

/** Opens or closes the form, and offers to undo it. */
async function toggle(form: Form, onChange: () => void): Promise<void> {
  const isOpened = form.state === 'closed';
  const changed = await changeState(form, isOpened ? 'reopen' : 'close', onChange);
  announce(isOpened ? 'The form is open again.' : 'The form was closed: it accepts no submissions.', {
    undo: () => toggle(changed, onChange),
  });
}

interface PublishDialogProps extends Omit<StateActionsProps, 'draft'> {
  readonly onClose: () => void;
}

function PublishDialog({ form, ...dialog }: PublishDialogProps) {
  const { draft_version: version, state } = form;
  return (
    <ConfirmAction
      {...dialog}
      title={`Publish version ${version}?`}
      verb={`Publish version ${version}`}
      failure="The form was not published"
      isDestructive={false}
      act={() => changeState(form, 'publish', dialog.onChange)}
      done={`Version ${version} is published.`}
    >
      <p>
        People see it at once{state === 'closed' && ', and the form is open again'}. Submissions keep the
        version that they answered.
      </p>
      <Differences form={form} />
    </ConfirmAction>
  );
}

const TONES = { added: 'good', changed: 'warn', removed: 'bad' } as const;

/** What the draft changes in the version that is published. */
function Differences({ form }: { readonly form: Form }) {
  const { published_version: published, draft_version } = form;
  const path = forms.pathTo(form.id, `/versions/${published ?? draft_version}`);
  const [loaded, retry] = useData<FormVersion>(path);
  const version = loaded.data;
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

const ACTIONS: readonly RecordAction<Form>[] = [
  { label: 'Duplicate', run: duplicate },
  { label: 'Delete form…', class: 'danger', Dialog: DeleteDialog },
];

export function FormActions(section: Section<Form>) {
  return (
    <Panel title="Actions" id="actions" body="">
      <RecordActions {...section} actions={ACTIONS} failure="The form was not duplicated" />
    </Panel>
  );
}

async function duplicate({ record }: Section<Form>): Promise<void> {
  const copy = await forms.act<Form>(record, 'duplicate');
  navigate(linkToForm(copy.id));
  announce('This is the copy, a draft without submissions. Give it a title of its own.');
}

function DeleteDialog(dialog: RecordDialogProps<Form>) {
  const { id, title, submissions } = dialog.record;
  const remove = async () => {
    await forms.remove(dialog);
    forgetDraft(id);
  };
  return (
    <ConfirmAction
      {...dialog}
      title="Delete this form?"
      verb="Delete form"
      failure="The form was not deleted"
      expected={{ label: `Type ${title} to confirm`, text: title }}
      act={remove}
      done={`${title} was deleted.`}
      to={forms.page}
    >
      <p>
        <strong>{counted(submissions.accepted + submissions.held, 'submission')}</strong> and all versions of{' '}
        <bdi>{title}</bdi> are deleted. This cannot be undone. To accept no more submissions, close the form
        instead.
      </p>
    </ConfirmAction>
  );
}

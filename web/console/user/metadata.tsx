/** Data of the application about the user. */
import { useState } from 'preact/hooks';
import { ApiError } from '../../common/api.ts';
import type { User } from '../../common/api-types.ts';
import { CodeBlock } from '../../common/code-block.tsx';
import { Panel } from '../../common/components.tsx';
import { Dialog } from '../../common/dialog.tsx';
import { ActionForm, DialogButtons, Field, useAction } from '../../common/form.tsx';
import { useRecordActions } from '../records/record-actions.tsx';
import type { Section } from '../records/requests.ts';
import { may } from '../session.ts';
import { announce } from '../status.tsx';
import { toLabel, type UserDialog, type UserSection, users } from '../users/record.tsx';
import { createMergePatch, parseObject } from './merge-patch.ts';

const format = (metadata: object) => JSON.stringify(metadata, null, 2);
const isEmpty = (metadata: object) => Object.keys(metadata).length === 0;

const CHANGE = { label: 'Change app_metadata…', class: 'compact end', Dialog: MetadataDialog };

export function Metadata({ record, onChange }: UserSection) {
  const { user_metadata, app_metadata } = record;
  const { renderButtons, result } = useRecordActions([record], onChange);
  return (
    <Panel
      title="Metadata"
      id="metadata"
      beside={may('users:write') && renderButtons(record, [CHANGE])}
      body="stack tight"
    >
      <p class="small">
        {isEmpty(user_metadata) && isEmpty(app_metadata) && 'There is none. '}
        Data of your application. The user can change user_metadata and read both.
      </p>
      {!isEmpty(user_metadata) && <CodeBlock label="user_metadata" text={format(user_metadata)} />}
      {!isEmpty(app_metadata) && <CodeBlock label="app_metadata" text={format(app_metadata)} />}
      {result}
    </Panel>
  );
}

function MetadataDialog({ onClose, ...section }: UserDialog) {
  const user = section.record;
  const [text, setText] = useState(format(user.app_metadata));
  const action = useAction();
  const save = async () => {
    const patch = createMergePatch(user.app_metadata, readObject(text));
    const changed = await users.change(section, { app_metadata: patch });
    announce(`app_metadata of ${toLabel(changed)} was saved.`, {
      undo: () => undo(user, { ...section, record: changed }),
    });
    section.onChange();
    onClose();
  };
  return (
    <Dialog title={`Change app_metadata of ${toLabel(user)}`} onClose={onClose}>
      <ActionForm action={action} onSubmit={save} failure="Nothing was saved" fields={['app_metadata']}>
        <Field
          label="app_metadata as JSON"
          name="app_metadata"
          rows={10}
          spellcheck={false}
          value={text}
          onValue={setText}
          error={action.error}
        />
        <DialogButtons text="Save" onClose={onClose} action={action} />
      </ActionForm>
    </Dialog>
  );
}

async function undo(before: User, section: Section<User>): Promise<void> {
  const app_metadata = createMergePatch(section.record.app_metadata, before.app_metadata);
  await users.change(section, { app_metadata });
  announce(`app_metadata of ${toLabel(before)} is as it was.`);
  section.onChange();
}

/** @throws ApiError that names the field, as the service would */
function readObject(text: string): Readonly<Record<string, unknown>> {
  const metadata = parseObject(text);
  if (metadata !== null) return metadata;
  const message = 'Write a JSON object, such as {"plan": "gold"}.';
  throw new ApiError(400, { error: message, code: 'validation_failed', errors: { app_metadata: [message] } });
}

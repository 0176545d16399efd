/** Editor of a form: its fields, the selected one, and a preview. */
import { useEffect, useState } from 'preact/hooks';
import { Field } from '../../../common/form.tsx';
import { Panel } from '../../../common/panel.tsx';
import type { FormDraft } from '../draft.tsx';
import { FieldList } from './field-list.tsx';
import { FieldPanel } from './field-panel.tsx';
import { Preview } from './preview.tsx';
import { useFieldChanges } from './use-field-changes.ts';

export function Editor({ draft }: { readonly draft: FormDraft }) {
  const { typed, error } = draft;
  const [selected, setSelected] = useState<string | null>(null);
  const field = typed.fields.find(({ key }) => key === selected);
  const edit = useFieldChanges(draft, setSelected);
  // The first error is shown.
  useEffect(() => {
    const [first] = Object.keys(error?.errors ?? {});
    if (first !== undefined) setSelected(first.split('/')[0]!);
  }, [error]);
  return (
    <div class="form-editor">
      <FieldList fields={typed.fields} selected={field} error={error} edit={edit} onSelect={setSelected} />
      {field === undefined ? (
        <TitlePanel draft={draft} />
      ) : (
        <FieldPanel key={field.key} field={field} fields={typed.fields} error={error} edit={edit} />
      )}
      <Preview form={typed} selected={field?.key} />
    </div>
  );
}

function TitlePanel({ draft: { typed, set, error } }: { readonly draft: FormDraft }) {
  const shared = { error, autocomplete: 'off', direction: 'auto' } as const;
  return (
    <Panel title="Title and description" id="field">
      <div class="body stack tight">
        <Field
          {...shared}
          label="Title"
          name="title"
          value={typed.title}
          onValue={(title) => set({ title })}
        />
        <Field
          {...shared}
          label="Description (optional)"
          name="description"
          rows={5}
          value={typed.description ?? ''}
          onValue={(description) => set({ description })}
        />
      </div>
    </Panel>
  );
}

/** Editor of a form: its fields, the selected one, and a preview. */
import { useEffect, useState } from 'preact/hooks';
import { basePath } from '../../../common/api.ts';
import { Panel } from '../../../common/components.tsx';
import { brandColor, instanceLogo, instanceName } from '../../../common/instance.ts';
import { type FormField, FormFields } from '../../records/record-form.tsx';
import type { FormDraft } from '../draft.tsx';
import { findKind, type TypedField, type TypedForm, toFieldName } from '../typed.ts';
import { FieldList } from './field-list.tsx';
import { FieldPanel } from './field-panel.tsx';
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
    <div class="form-editor stack">
      <FieldList fields={typed.fields} selected={field} error={error} edit={edit} onSelect={setSelected} />
      {field === undefined ? (
        <Panel title="Title and description" id="field" body="stack tight">
          <FormFields fields={TITLE_FIELDS} {...draft} />
        </Panel>
      ) : (
        <FieldPanel key={field.key} field={field} fields={typed.fields} error={error} edit={edit} />
      )}
      <Preview form={typed} selected={field?.key} />
    </div>
  );
}

const TITLE_FIELDS: readonly FormField<TypedForm>[] = [
  { name: 'title', label: 'Title', direction: 'auto' },
  { name: 'description', label: 'Description (optional)', rows: 5, direction: 'auto' },
];

interface PreviewProps {
  readonly form: Pick<TypedForm, 'title' | 'description' | 'fields'>;
  /** Key of a field. */
  readonly selected?: string | undefined;
}

/** Gives the preview the colours of the pages for people; the console has its own. */
function useBrandColors() {
  const color = brandColor.value;
  useEffect(() => {
    const sheet = new CSSStyleSheet();
    const load = async () => {
      const response = await fetch(`${basePath}/brand.css?color=${color!.slice(1)}`);
      if (response.ok) sheet.replaceSync((await response.text()).replace(':root', '.preview'));
    };
    // The form is shown without them, if they cannot be loaded.
    if (color !== null) load().catch(() => {});
    document.adoptedStyleSheets.push(sheet);
    return () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet);
    };
  }, [color]);
}

/** Nothing in it can be focused or pressed. */
export function Preview({ form: { title, description, fields }, selected }: PreviewProps) {
  useBrandColors();
  return (
    <Panel title="Preview" id="preview">
      <div class="preview stack tight" inert>
        <p class="row">
          {instanceLogo.value && <img class="logo" src={instanceLogo.value} alt="" />}
          <bdi>{instanceName}</bdi>
        </p>
        <div class="panel body stack">
          <div>
            <bdi class="title">{title}</bdi>
            {description && <p>{description}</p>}
          </div>
          {fields.map((field) => (
            <div key={field.key} class={`field ${field.key === selected ? 'selected' : ''}`}>
              <PreviewField field={field} />
            </div>
          ))}
          <span class="button primary">Send</span>
        </div>
      </div>
    </Panel>
  );
}

function PreviewField({ field }: { readonly field: TypedField }) {
  const name = (
    <span>
      <bdi>{toFieldName(field)}</bdi>
      {field.is_required ? <span class="error"> *</span> : <span class="muted"> (optional)</span>}
    </span>
  );
  return (
    <>
      {field.type === 'checkbox' ? (
        <span class="option">
          <input type="checkbox" />
          {name}
        </span>
      ) : (
        name
      )}
      <Control field={field} />
      {field.help && <small>{field.help}</small>}
    </>
  );
}

/** More options than these are shown as a menu. */
const MAX_LISTED = 6;

function Control({ field }: { readonly field: TypedField }) {
  const kind = findKind(field);
  const options = field.options?.filter(Boolean) ?? [];
  if (kind === 'checkbox') return null;
  if (kind === 'multiline') return <textarea rows={3} />;
  if (kind === 'date') return <input type="date" />;
  if (kind !== 'choices' && kind !== 'choice') return <input />;
  if (kind === 'choice' && options.length > MAX_LISTED) return <select />;
  return (
    <>
      {options.map((option) => (
        <span key={option} class="option tile">
          <input type={kind === 'choice' ? 'radio' : 'checkbox'} />
          <bdi>{option}</bdi>
        </span>
      ))}
    </>
  );
}

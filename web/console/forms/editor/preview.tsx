/** The form as people will see it. */
import { Panel } from '../../../common/panel.tsx';
import { findKind, toFieldName } from '../field-kinds.ts';
import type { TypedField, TypedForm } from '../typed.ts';

interface PreviewProps {
  readonly form: Pick<TypedForm, 'title' | 'description' | 'fields'>;
  /** Key of a field. */
  readonly selected?: string | undefined;
}

/** Nothing in it can be focused or pressed. */
export function Preview({ form: { title, description, fields }, selected }: PreviewProps) {
  return (
    <Panel title="Preview" id="preview">
      <div class="preview" inert>
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

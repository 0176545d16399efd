/** Edits the definition of one form field. */
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import type { FieldType } from '../../common/api-types.ts';

export interface Definition {
  readonly label: string;
  readonly type: string;
  readonly is_required: boolean;
}

const TYPES: readonly string[] = ['text', 'number', 'email', 'date', 'checkbox'] satisfies FieldType[];

interface FieldEditorProps {
  /** Display name of the field: `Field 2`. */
  readonly name: string;
  readonly definition: Definition;
  /** Returns the error of a member (`/label`), or of the whole field (empty). */
  readonly getError: (member: string) => string | undefined;
  readonly change: (definition: Definition) => void;
  /** Undefined for the only field. */
  readonly remove: (() => void) | undefined;
}

export function FieldEditor({ name, definition, getError, change, remove }: FieldEditorProps) {
  return (
    <fieldset class="panel body grid">
      <legend>{name}</legend>
      <Labelled label="Label" error={getError('/label') ?? getError('')}>
        {(attributes) => (
          <input
            {...attributes}
            type="text"
            value={definition.label}
            onInput={({ currentTarget }) => change({ ...definition, label: currentTarget.value })}
          />
        )}
      </Labelled>
      <Labelled label="Type" error={getError('/type')}>
        {(attributes) => (
          <select
            {...attributes}
            value={definition.type}
            onChange={({ currentTarget }) => change({ ...definition, type: currentTarget.value })}
          >
            {typesWith(definition.type).map((type) => (
              <option key={type} value={type}>
                {type}
              </option>
            ))}
          </select>
        )}
      </Labelled>
      <label class="option">
        <input
          type="checkbox"
          checked={definition.is_required}
          onChange={({ currentTarget }) => change({ ...definition, is_required: currentTarget.checked })}
        />
        Required
      </label>
      {remove && (
        <button type="button" onClick={remove}>
          Remove<span class="visually-hidden"> {name}</span>
        </button>
      )}
    </fieldset>
  );
}

/** A type of the URL that does not exist is kept, so that the check can report it. */
function typesWith(type: string): readonly string[] {
  return TYPES.includes(type) ? TYPES : [...TYPES, type];
}

interface ControlAttributes {
  readonly id: string;
  readonly 'aria-invalid': true | undefined;
  readonly 'aria-describedby': string | undefined;
}

interface LabelledProps {
  readonly label: string;
  readonly error: string | undefined;
  readonly children: (attributes: ControlAttributes) => ComponentChildren;
}

function Labelled({ label, error, children }: LabelledProps) {
  const id = useId();
  const errorId = `${id}-error`;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({
        id,
        'aria-invalid': error === undefined ? undefined : true,
        'aria-describedby': error === undefined ? undefined : errorId,
      })}
      {error !== undefined && (
        <small id={errorId} class="error">
          {error}
        </small>
      )}
    </div>
  );
}

/** Edits the definition of one form field. */
import type { FieldType } from '../../common/api-types.ts';
import { Labelled, Select } from '../../common/form.tsx';
import { Icon } from '../../common/icon.tsx';

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
    <fieldset class="checked-field">
      <legend class="visually-hidden">{name}</legend>
      <Labelled label="Label" errors={toList(getError('/label') ?? getError(''))}>
        {(attributes) => (
          <input
            {...attributes}
            type="text"
            value={definition.label}
            onInput={({ currentTarget }) => change({ ...definition, label: currentTarget.value })}
          />
        )}
      </Labelled>
      <Select
        label="Type"
        options={typesWith(definition.type).map((type) => [type, type])}
        value={definition.type}
        onValue={(type) => change({ ...definition, type })}
        errors={toList(getError('/type'))}
      />
      <label class="option">
        <input
          type="checkbox"
          checked={definition.is_required}
          onChange={({ currentTarget }) => change({ ...definition, is_required: currentTarget.checked })}
        />
        Required
      </label>
      {remove && (
        <button
          type="button"
          class="plain square"
          aria-label={`Remove ${name}`}
          title="Remove"
          onClick={remove}
        >
          <Icon name="trash" />
        </button>
      )}
    </fieldset>
  );
}

/** A type of the URL that does not exist is kept, so that the check can report it. */
function typesWith(type: string): readonly string[] {
  return TYPES.includes(type) ? TYPES : [...TYPES, type];
}

function toList(error: string | undefined): readonly string[] {
  return error === undefined ? [] : [error];
}

/** The fields of parameters and of the body. */
import { type ControlAttributes, Labelled } from '../../common/form.tsx';
import { Mark } from '../prose.tsx';
import { BODY } from './check-draft.ts';
import type { Field } from './draft.ts';
import { toKey } from './draft.ts';

interface InputProps {
  readonly value: string;
  readonly errors: readonly string[];
  readonly onInput: (value: string) => void;
}

export function ParameterField({ field, ...input }: InputProps & { readonly field: Field }) {
  const { name, place, isRequired, choices } = field;
  const label = (
    <>
      <code>{name}</code>
      <Mark text={place} />
      <Mark text={isRequired && 'required'} tone="bad" />
    </>
  );
  const Control = choices === null ? TextInput : Choice;
  return (
    <Labelled label={label} errors={input.errors}>
      {(attributes) => <Control field={field} {...input} attributes={attributes} />}
    </Labelled>
  );
}

interface ControlProps extends InputProps {
  readonly field: Field;
  readonly attributes: ControlAttributes;
}

function TextInput({ field, attributes, value, onInput }: ControlProps) {
  return (
    <input
      {...attributes}
      name={toKey(field)}
      value={value}
      type="text"
      autocomplete="off"
      autocapitalize="off"
      spellcheck={false}
      placeholder={field.hint}
      required={field.isRequired}
      onInput={({ currentTarget }) => onInput(currentTarget.value)}
    />
  );
}

function Choice({ field, attributes, value, onInput }: ControlProps) {
  return (
    <select
      {...attributes}
      name={toKey(field)}
      value={value}
      required={field.isRequired}
      onChange={({ currentTarget }) => onInput(currentTarget.value)}
    >
      {!(field.isRequired && field.choices?.length === 1) && (
        <option value="">{field.isRequired ? 'Choose a value' : 'Not sent'}</option>
      )}
      {field.choices?.map((choice) => (
        <option key={choice} value={choice}>
          {choice}
        </option>
      ))}
    </select>
  );
}

export function BodyField({ type, value, errors, onInput }: InputProps & { readonly type: string }) {
  const lines = value.split('\n').length;
  const label = (
    <>
      Request body
      <Mark text={type} />
    </>
  );
  return (
    <Labelled label={label} errors={errors}>
      {(attributes) => (
        <textarea
          {...attributes}
          name={BODY}
          value={value}
          rows={Math.min(Math.max(lines, 3), 24)}
          spellcheck={false}
          autocapitalize="off"
          onInput={({ currentTarget }) => onInput(currentTarget.value)}
        />
      )}
    </Labelled>
  );
}

/** The fields of parameters and of the body. */
import { Mark } from '../prose.tsx';
import { BODY } from './check-draft.ts';
import type { Field } from './draft.ts';
import { toKey } from './draft.ts';

interface InputProps {
  readonly id: string;
  readonly value: string;
  readonly error: string | undefined;
  readonly onInput: (value: string) => void;
}

export function ParameterField({ field, ...input }: InputProps & { readonly field: Field }) {
  const { name, place, isRequired, choices } = field;
  return (
    <div class="field">
      <label for={input.id}>
        <code>{name}</code>
        <Mark text={place} />
        <Mark text={isRequired && 'required'} tone="bad" />
      </label>
      {choices === null ? <TextInput field={field} {...input} /> : <Choice field={field} {...input} />}
      <FieldError {...input} />
    </div>
  );
}

function TextInput({ field, ...input }: InputProps & { readonly field: Field }) {
  return (
    <input
      {...getAttributes(toKey(field), input)}
      type="text"
      autocomplete="off"
      autocapitalize="off"
      spellcheck={false}
      placeholder={field.hint}
      required={field.isRequired}
      onInput={({ currentTarget }) => input.onInput(currentTarget.value)}
    />
  );
}

function Choice({ field, ...input }: InputProps & { readonly field: Field }) {
  return (
    <select
      {...getAttributes(toKey(field), input)}
      required={field.isRequired}
      onChange={({ currentTarget }) => input.onInput(currentTarget.value)}
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

export function BodyField({ type, ...input }: InputProps & { readonly type: string }) {
  const lines = input.value.split('\n').length;
  return (
    <div class="field">
      <label for={input.id}>
        Request body
        <Mark text={type} />
      </label>
      <textarea
        {...getAttributes(BODY, input)}
        rows={Math.min(Math.max(lines, 3), 24)}
        spellcheck={false}
        autocapitalize="off"
        onInput={({ currentTarget }) => input.onInput(currentTarget.value)}
      />
      <FieldError {...input} />
    </div>
  );
}

function getAttributes(name: string, { id, value, error }: InputProps) {
  const describedBy = error === undefined ? {} : { 'aria-describedby': `${id}-error` };
  return { id, name, value, 'aria-invalid': error === undefined ? undefined : true, ...describedBy };
}

function FieldError({ id, error }: InputProps) {
  return error === undefined ? null : (
    <small class="error" id={`${id}-error`} role="alert">
      {error}
    </small>
  );
}

/** Forms whose errors are shown at their fields. */
import type { ComponentChildren, Ref } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import type { ApiError } from './api.ts';
import { Button, Failure } from './components.tsx';
import type { Action } from './use-action.ts';

/** Connects a control with its label, its hint and its errors. */
export interface ControlAttributes {
  readonly id: string;
  readonly 'aria-invalid': true | undefined;
  readonly 'aria-describedby': string | undefined;
}

interface Labels {
  readonly label: ComponentChildren;
  readonly hint?: ComponentChildren;
  readonly errors?: readonly string[] | undefined;
}

interface LabelledProps extends Labels {
  readonly children: (attributes: ControlAttributes) => ComponentChildren;
}

/** A control between its label and its hint and errors, which screen readers read with it. */
export function Labelled({ label, hint, errors = [], children }: LabelledProps) {
  const id = useId();
  const isInvalid = errors.length > 0;
  const describedBy = [hint && `${id}-hint`, isInvalid && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({
        id,
        'aria-invalid': isInvalid ? true : undefined,
        'aria-describedby': describedBy || undefined,
      })}
      {hint && <small id={`${id}-hint`}>{hint}</small>}
      <Errors id={`${id}-error`} messages={errors} />
    </div>
  );
}

export function Errors({ messages, id }: { readonly messages: readonly string[]; readonly id?: string }) {
  if (messages.length === 0) return null;
  return (
    <small id={id} class="error" role="alert">
      {messages.join(' ')}
    </small>
  );
}

interface FieldGroupProps {
  readonly legend: string;
  /** Messages of the service about all of them. */
  readonly errors?: readonly string[];
  readonly children: ComponentChildren;
}

/** Controls with a name and errors of their own. */
export function FieldGroup({ legend, errors = [], children }: FieldGroupProps) {
  return (
    <fieldset class="field stack tight" aria-invalid={errors.length > 0 ? true : undefined} tabIndex={-1}>
      <legend>{legend}</legend>
      {children}
      <Errors messages={errors} />
    </fieldset>
  );
}

interface CheckProps {
  readonly name?: string;
  readonly isChecked: boolean;
  readonly onChecked: (isChecked: boolean) => void;
  readonly isDisabled?: boolean | undefined;
  readonly text: ComponentChildren;
}

/** A check box with its text. */
export function Check({ name, isChecked, onChecked, isDisabled, text }: CheckProps) {
  return (
    <label class="option">
      <input
        type="checkbox"
        name={name}
        checked={isChecked}
        disabled={isDisabled}
        onChange={({ currentTarget }) => onChecked(currentTarget.checked)}
      />
      {text}
    </label>
  );
}

/** The last values of fields with days and times, by their type: without them, a year of six digits can be typed. */
const LAST_TIMES: Readonly<Partial<Record<string, string>>> = {
  date: '9999-12-31',
  'datetime-local': '9999-12-31T23:59',
};

interface FieldProps extends Labels {
  readonly type?: 'text' | 'email' | 'password' | 'url' | 'datetime-local' | 'date';
  /** Makes it a text of several lines. */
  readonly rows?: number;
  readonly autocomplete?: 'off' | 'new-password' | 'current-password';
  readonly spellcheck?: boolean;
  /** The member of the request, by which the service names it in its errors. */
  readonly name?: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
  /** `auto` for names, which may be written from right to left. */
  readonly direction?: 'auto';
  readonly error?: ApiError | null;
  readonly ref?: Ref<HTMLInputElement>;
  readonly required?: boolean;
  readonly onBlur?: () => void;
}

export function Field({ label, type = 'text', rows, onValue, hint, direction, ...rest }: FieldProps) {
  const { error, errors = error?.errors[rest.name ?? ''], ref = null, ...input } = rest;
  const shared = {
    ...input,
    dir: direction,
    onInput: ({ currentTarget }: { currentTarget: HTMLInputElement | HTMLTextAreaElement }) =>
      onValue(currentTarget.value),
  };
  return (
    <Labelled label={label} hint={hint} errors={errors}>
      {(attributes) =>
        rows === undefined ? (
          <input
            {...attributes}
            {...shared}
            ref={ref}
            type={type as 'text'}
            max={LAST_TIMES[type]}
            spellcheck={false}
          />
        ) : (
          <textarea {...attributes} {...shared} rows={rows} />
        )
      }
    </Labelled>
  );
}

interface OptionsProps {
  /** Values with their texts. */
  readonly options: readonly (readonly [value: string, text: ComponentChildren])[];
}

/** The options of a select. */
export function Options({ options }: OptionsProps) {
  return options.map(([value, text]) => (
    <option key={value} value={value}>
      {text}
    </option>
  ));
}

interface SelectProps extends OptionsProps, Labels {
  readonly name?: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
}

/** A choice among a few values. */
export function Select({ options, onValue, label, hint, errors, ...select }: SelectProps) {
  return (
    <Labelled label={label} hint={hint} errors={errors}>
      {(attributes) => (
        <select {...attributes} {...select} onChange={({ currentTarget }) => onValue(currentTarget.value)}>
          <Options options={options} />
        </select>
      )}
    </Labelled>
  );
}

interface ActionFormProps {
  readonly action: Action;
  readonly onSubmit: () => Promise<unknown>;
  /** Headline of the error: `The user was not created`. */
  readonly failure: string;
  /** Names of its fields. Other errors are shown above the buttons. */
  readonly fields?: readonly string[];
  readonly class?: string;
  readonly onKeyDown?: (event: KeyboardEvent) => unknown;
  readonly children: ComponentChildren;
}

/** Sends nothing twice, and moves the focus to the first field with an error. The children include the buttons. */
export function ActionForm({ action, onSubmit, failure, fields = [], children, ...rest }: ActionFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const { error } = action;
  useEffect(() => {
    if (error !== null) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [error]);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    void action.run(onSubmit);
  };
  const isAtFields = error !== null && fields.some((field) => error.errors[field] !== undefined);
  return (
    <form {...rest} ref={form} onSubmit={submit} noValidate>
      {children}
      {error && !isAtFields && <Failure what={failure} error={error} />}
    </form>
  );
}

interface SubmitProps {
  readonly action: Action;
  readonly class?: string;
  readonly text: string;
}

/** Keeps the focus while the request is under way, which a disabled button would lose. */
export function Submit({ action: { isBusy }, ...button }: SubmitProps) {
  return <Button class="primary" {...button} type="submit" aria-busy={isBusy} aria-disabled={isBusy} />;
}

/** The buttons of a form in a dialog. */
export function DialogButtons({ onClose, ...submit }: SubmitProps & { readonly onClose: () => void }) {
  return (
    <div class="buttons">
      <Button text="Cancel" onClick={onClose} />
      <Submit {...submit} />
    </div>
  );
}

export { type Action, useAction } from './use-action.ts';

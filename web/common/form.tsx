/** Forms whose errors are shown at their fields. */
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import type { ApiError } from './api.ts';
import { Failure } from './components.tsx';
import type { Action } from './use-action.ts';

interface FieldProps {
  readonly label: string;
  readonly type?: 'text' | 'email' | 'password' | 'url' | 'datetime-local';
  readonly autocomplete?: 'off' | 'new-password';
  /** The member of the request, by which the service names it in its errors. */
  readonly name: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly hint?: string;
  /** `auto` for names, which may be written from right to left. */
  readonly direction?: 'auto';
  readonly error: ApiError | null;
}

export function Field({ label, type = 'text', onValue, hint, direction, error, ...input }: FieldProps) {
  const id = useId();
  const messages = error?.errors[input.name] ?? [];
  const isInvalid = messages.length > 0;
  const describedBy = [hint && `${id}-hint`, isInvalid && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        {...input}
        type={type as 'text'}
        dir={direction}
        id={id}
        spellcheck={false}
        onInput={({ currentTarget }) => onValue(currentTarget.value)}
        aria-invalid={isInvalid ? true : undefined}
        aria-describedby={describedBy || undefined}
      />
      {hint && <small id={`${id}-hint`}>{hint}</small>}
      {isInvalid && (
        <small id={`${id}-error`} class="error" role="alert">
          {messages.join(' ')}
        </small>
      )}
    </div>
  );
}

interface TextAreaProps extends Pick<FieldProps, 'label' | 'name' | 'value' | 'onValue' | 'error'> {}

/** A field for text of several lines. */
export function TextArea({ label, name, value, onValue, error }: TextAreaProps) {
  const id = useId();
  const messages = error?.errors[name] ?? [];
  const isInvalid = messages.length > 0;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <textarea
        id={id}
        name={name}
        rows={10}
        spellcheck={false}
        value={value}
        onInput={({ currentTarget }) => onValue(currentTarget.value)}
        aria-invalid={isInvalid ? true : undefined}
        aria-describedby={isInvalid ? `${id}-error` : undefined}
      />
      {isInvalid && (
        <small id={`${id}-error`} class="error" role="alert">
          {messages.join(' ')}
        </small>
      )}
    </div>
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
  readonly children: ComponentChildren;
}

/** Keeps the focus while the request is under way, which a disabled button would lose. */
export function Submit({ action, class: classes = 'primary', children }: SubmitProps) {
  return (
    <button type="submit" class={classes} aria-busy={action.isBusy} aria-disabled={action.isBusy}>
      {children}
    </button>
  );
}

/** A field for a code of the authenticator app, or for a recovery code. */
import type { RefObject } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';

interface CodeFieldProps {
  readonly code: string;
  readonly onCode: (code: string) => void;
  /** Messages at the field. */
  readonly errors: readonly string[];
  /** Whether a recovery code is accepted, too. */
  readonly acceptsRecovery?: boolean;
  /** Called when the person chooses the other kind of code. */
  readonly onKind?: () => void;
  readonly field?: RefObject<HTMLInputElement | null>;
}

const KINDS = {
  app: {
    label: 'Code',
    hint: 'Six digits, from the authenticator app on your phone.',
    inputMode: 'numeric',
    autocomplete: 'one-time-code',
    other: 'Use a recovery code',
  },
  recovery: {
    label: 'Recovery code',
    hint: 'One of those that you kept when you set up two-step sign-in. Each works once.',
    inputMode: 'text',
    autocomplete: 'off',
    other: 'Use a code of the app',
  },
} as const;

export function CodeField({ code, onCode, errors, acceptsRecovery = true, onKind, field }: CodeFieldProps) {
  const [kind, setKind] = useState<keyof typeof KINDS>('app');
  const own = useRef<HTMLInputElement>(null);
  const input = field ?? own;
  const id = useId();
  const { label, hint, other, ...attributes } = KINDS[kind];
  const isWrong = errors.length > 0;
  const change = () => {
    setKind(kind === 'app' ? 'recovery' : 'app');
    onCode('');
    onKind?.();
    input.current?.focus();
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        {...attributes}
        id={id}
        ref={input}
        name="code"
        type="text"
        autocapitalize="none"
        spellcheck={false}
        maxLength={64}
        aria-describedby={isWrong ? `${id}-error ${id}-hint` : `${id}-hint`}
        aria-invalid={isWrong ? true : undefined}
        value={code}
        onInput={({ currentTarget }) => onCode(currentTarget.value)}
      />
      {isWrong && (
        <small id={`${id}-error`} class="error" role="alert">
          {errors.join(' ')}
        </small>
      )}
      <small id={`${id}-hint`}>{hint}</small>
      {acceptsRecovery && (
        <button type="button" class="link" onClick={change}>
          {other}
        </button>
      )}
    </div>
  );
}

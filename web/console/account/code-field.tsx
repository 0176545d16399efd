/** A field for a code of the authenticator app, or for a recovery code. */
import type { RefObject } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { Labelled } from '../../common/form.tsx';

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
  const { label, hint, other, ...attributes } = KINDS[kind];
  const change = () => {
    setKind(kind === 'app' ? 'recovery' : 'app');
    onCode('');
    onKind?.();
    input.current?.focus();
  };
  return (
    <div class="stack tight">
      <Labelled label={label} hint={hint} errors={errors}>
        {(control) => (
          <input
            {...control}
            {...attributes}
            ref={input}
            name="code"
            type="text"
            autocapitalize="none"
            spellcheck={false}
            maxLength={64}
            value={code}
            onInput={({ currentTarget }) => onCode(currentTarget.value)}
          />
        )}
      </Labelled>
      {acceptsRecovery && (
        <p>
          <button type="button" class="link small" onClick={change}>
            {other}
          </button>
        </p>
      )}
    </div>
  );
}

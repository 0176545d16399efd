/** The second step of signing in: a code. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ApiError } from '../common/api.ts';
import { Failure } from '../common/components.tsx';
import { toApiError } from '../common/use-load.ts';
import { CodeField } from './account/code-field.tsx';
import { signIn } from './session.ts';

interface SignInCodeProps {
  /** Credential that the service has accepted. */
  readonly credential: string;
  readonly onBack: () => void;
}

export function SignInCode({ credential, onBack }: SignInCodeProps) {
  const [code, setCode] = useState('');
  const [error, setError] = useState<ApiError | null>(null);
  const [isSending, setSending] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    setSending(true);
    setError(null);
    try {
      await signIn(credential, code);
    } catch (failure) {
      setError(toApiError(failure));
      setSending(false);
      field.current?.select();
    }
  };
  const message = error === null ? undefined : MESSAGES[error.code];
  return (
    <form onSubmit={submit} noValidate>
      <CodeField
        code={code}
        onCode={setCode}
        errors={message === undefined ? [] : [message]}
        onKind={() => setError(null)}
        field={field}
      />
      {error && message === undefined && <Failure what="You could not be signed in" error={error} />}
      <button type="submit" class="primary full" aria-busy={isSending} disabled={isSending}>
        Sign in
      </button>
      <button type="button" class="plain" onClick={onBack}>
        Use another credential
      </button>
    </form>
  );
}

/** By the code of the problem; others are shown above the buttons. */
const MESSAGES: Readonly<Record<string, string>> = {
  invalid_totp_code:
    'This code is not accepted. Each works once: wait for the next one, and check the clock of the phone.',
  totp_required: 'Enter the code.',
  validation_failed: 'Enter the code.',
};

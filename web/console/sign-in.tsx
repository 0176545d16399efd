/** Signing in with the administrator token. */
import { useId, useState } from 'preact/hooks';
import type { ApiError } from '../common/api.ts';
import { Failure, ViewHeading } from '../common/components.tsx';
import { Dialog } from '../common/dialog.tsx';
import { toApiError } from '../common/use-load.ts';
import { signIn } from './session.ts';

export function SignInPage() {
  return (
    <main class="container narrow">
      <ViewHeading title="Sign in">Frontdesk console</ViewHeading>
      {isSecureContext ? <SignInForm /> : <InsecureConnection />}
    </main>
  );
}

/** Shown over the view when the session has ended, which keeps what was typed there. */
export function SignInAgain() {
  return (
    <Dialog title="Your session has ended" isTopmost>
      <p>Sign in again to continue. Your input on this page is kept.</p>
      <SignInForm />
    </Dialog>
  );
}

function SignInForm() {
  const [token, setToken] = useState('');
  const [error, setError] = useState<ApiError | null>(null);
  const [isSending, setSending] = useState(false);
  const fieldId = useId();
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    setSending(true);
    setError(null);
    try {
      await signIn(token.trim());
    } catch (failure) {
      setError(toApiError(failure));
      setSending(false);
    }
  };
  return (
    <form onSubmit={submit}>
      <input type="text" autocomplete="username" value="administrator" readOnly hidden />
      <label for={fieldId}>Administrator token</label>
      <input
        id={fieldId}
        type="password"
        autocomplete="current-password"
        required
        aria-describedby={`${fieldId}-hint`}
        aria-invalid={error?.status === 401 ? true : undefined}
        value={token}
        onInput={({ currentTarget }) => setToken(currentTarget.value)}
      />
      <small id={`${fieldId}-hint`}>
        The value of ADMIN_TOKEN, or the content of the file <code>admin-token</code> in the data directory.
      </small>
      {error && <Failure what={toFailureMessage(error)} error={error} />}
      <button type="submit" aria-busy={isSending} disabled={isSending}>
        Sign in
      </button>
    </form>
  );
}

function toFailureMessage({ status }: ApiError): string {
  return status === 401 ? 'This is not the administrator token' : 'You could not be signed in';
}

/** Browsers keep cookies with the attribute Secure only over HTTPS, or from the same machine. */
function InsecureConnection() {
  const { hostname, port } = location;
  return (
    <div class="notice failure" role="alert">
      <p>
        <strong>You cannot sign in over this connection.</strong> The page was opened over plain HTTP, where
        anybody on the way could read the token, so browsers do not keep the session.
      </p>
      <p>Open the console through HTTPS, or on the machine itself through a tunnel:</p>
      <pre>
        <code>
          ssh -L {port || '80'}:127.0.0.1:{port || '80'} {hostname}
        </code>
      </pre>
      <p>
        Then open <code>http://localhost:{port || '80'}/console</code>.
      </p>
    </div>
  );
}

/** Signing in with a credential. */
import type { RefObject } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { ApiError, basePath } from '../common/api.ts';
import { Failure, ViewHeading } from '../common/components.tsx';
import { Dialog } from '../common/dialog.tsx';
import { Labelled } from '../common/form.tsx';
import { Logo } from '../common/icon.tsx';
import { instanceLogo, instanceName } from '../common/instance.ts';
import { toApiError } from '../common/use-load.ts';
import { signIn } from './session.ts';
import { SignInCode } from './sign-in-code.tsx';

export function SignInPage() {
  return (
    <main class="single tight">
      {instanceLogo.value === null ? <Logo /> : <img class="logo" src={instanceLogo.value} alt="" />}
      <ViewHeading title="Sign in">{instanceName} console</ViewHeading>
      <p class="context">{location.host}</p>
      <div class="panel">{isSecureContext ? <SignInForm /> : <InsecureConnection />}</div>
      <p class="context">
        <a href={`${basePath}/docs`}>API reference</a> · <a href={`${basePath}/`}>Documents</a>
      </p>
    </main>
  );
}

/** Shown over the view when the session has ended; the view keeps typed values. */
export function SignInAgain() {
  return (
    <Dialog title="Your session has ended" isTopmost>
      <p>Sign in again to continue. Your input on this page is kept.</p>
      <SignInForm />
    </Dialog>
  );
}

/** Both steps; the second one only for credentials that demand it. */
function SignInForm() {
  const [accepted, setAccepted] = useState<string | null>(null);
  if (accepted === null) return <CredentialForm onCodeRequired={setAccepted} />;
  return <SignInCode credential={accepted} onBack={() => setAccepted(null)} />;
}

interface CredentialFormProps {
  readonly onCodeRequired: (credential: string) => void;
}

function CredentialForm({ onCodeRequired }: CredentialFormProps) {
  const [token, setToken] = useState('');
  const [error, setError] = useState<ApiError | null>(null);
  const [isSending, setSending] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (token.trim() === '') {
      setError(missing());
      return field.current?.focus();
    }
    setSending(true);
    setError(null);
    try {
      await signIn(token.trim());
    } catch (failure) {
      const problem = toApiError(failure);
      if (problem.code === 'totp_required') return onCodeRequired(token.trim());
      setError(problem);
      setSending(false);
      field.current?.select();
    }
  };
  const message = error === null ? undefined : MESSAGES[error.code];
  return (
    <form onSubmit={submit} noValidate>
      <input type="text" autocomplete="username" value="administrator" readOnly hidden />
      <TokenField token={token} onToken={setToken} message={message} field={field} />
      {error && message === undefined && <Failure what="You could not be signed in" error={error} />}
      <button type="submit" class="primary full" aria-busy={isSending} disabled={isSending}>
        Sign in
      </button>
    </form>
  );
}

/** By the code of the problem; others are shown above the button. */
const MESSAGES: Readonly<Record<string, string>> = {
  unauthorized:
    'This credential is not accepted. Copy all of it again; the token of a user does not sign in here.',
  validation_failed: 'Enter your credential.',
};

function missing(): ApiError {
  return new ApiError(400, { error: 'The credential is missing.', code: 'validation_failed' });
}

interface TokenFieldProps {
  readonly token: string;
  readonly onToken: (token: string) => void;
  readonly message: string | undefined;
  readonly field: RefObject<HTMLInputElement | null>;
}

function TokenField({ token, onToken, message, field }: TokenFieldProps) {
  return (
    <Labelled label="Credential" hint={HINT} errors={message ? [message] : []}>
      {(attributes) => (
        <input
          {...attributes}
          ref={field}
          type="password"
          autocomplete="current-password"
          required
          value={token}
          onInput={({ currentTarget }) => onToken(currentTarget.value)}
        />
      )}
    </Labelled>
  );
}

const HINT = (
  <>
    Your own, which begins with <code>fd_svc_</code>; or that of the owner: ADMIN_TOKEN, or the content of the
    file <code>admin-token</code> in the data directory.
  </>
);

/** Browsers keep cookies with the attribute Secure only over HTTPS, or from the same machine. */
function InsecureConnection() {
  const { hostname, port } = location;
  return (
    <div class="stack tight" role="alert">
      <p>
        <strong>You cannot sign in over this connection.</strong> The page was opened over plain HTTP, where
        anybody on the way could read the credential, so browsers do not keep the session.
      </p>
      <p>Open the console through HTTPS, or on the machine itself through a tunnel:</p>
      <p>
        <code>
          ssh -L {port || '80'}:127.0.0.1:{port || '80'} {hostname}
        </code>
      </p>
      <p>
        Then open <code>http://localhost:{port || '80'}/console</code>.
      </p>
    </div>
  );
}

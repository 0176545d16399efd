/** Signing in with the account or with ADMIN_TOKEN. */
import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { RECENT_SIGN_IN_MINUTES } from '../../src/callers/admin-scopes.ts';
import { ApiError, basePath } from '../common/api.ts';
import { Failure, ViewHeading } from '../common/components.tsx';
import { Dialog } from '../common/dialog.tsx';
import { Field, Submit, useAction } from '../common/form.tsx';
import { Logo } from '../common/icon.tsx';
import { instanceName } from '../common/instance.ts';
import { ActionButton } from './records/record-actions.tsx';
import {
  FIRST_OWNER_HASH,
  hasSignInPage,
  isStale,
  resume,
  session,
  sessionError,
  signedIn,
  signIn,
  signOut,
  toSignIn,
} from './session.ts';

export function SignInPage() {
  return (
    <EntryPage title="Sign in">
      <div class="panel">{isSecureContext ? <CredentialForm /> : <InsecureConnection />}</div>
      {isSecureContext && hasSignInPage && (
        <p class="context">
          {location.hash === FIRST_OWNER_HASH ? (
            'Nobody has a role yet. The first owner is created next.'
          ) : (
            <>
              People with a role <a href={toSignIn()}>sign in with their account</a>.
            </>
          )}
        </p>
      )}
    </EntryPage>
  );
}

/** Says why a person who is signed in may not use the console. */
export function RefusedPage() {
  const isRoleless = sessionError.value?.code === 'role_required';
  return (
    <EntryPage title="Not permitted">
      <div class="panel stack">
        {isRoleless ? (
          <p>Your account has no role in the administration of this service. An owner can give you one.</p>
        ) : (
          <p>
            Administrators of this service sign in with a second factor. Switch it on in{' '}
            <a href={`${basePath}/account#two-step`}>your account</a>, then{' '}
            <a href={toSignIn()}>sign in again</a> with a code.
          </p>
        )}
        <ActionButton text="Sign out" failure="You could not be signed out" run={signOut} />
      </div>
    </EntryPage>
  );
}

export function EntryPage({ title, children }: Readonly<{ title: string; children: ComponentChildren }>) {
  return (
    <main class="single tight">
      <Logo />
      <ViewHeading title={title}>{instanceName} console</ViewHeading>
      <p class="context">{location.host}</p>
      {children}
      <p class="context">
        <a href={`${basePath}/docs`}>API reference</a> · <a href={`${basePath}/`}>Documents</a>
      </p>
    </main>
  );
}

/** Shown over the view when the session has ended, or is too old for an action; the view keeps typed values. */
export function SignInAgain() {
  const isPerson = signedIn.value?.role != null;
  const isEnded = session.value === 'ended';
  const close = isEnded ? {} : { onClose: () => (isStale.value = false) };
  return (
    <Dialog title={isEnded ? 'Your session has ended' : 'Confirm that it is you'} isTopmost {...close}>
      <p>
        {isEnded
          ? 'Sign in again to continue. Your input on this page is kept.'
          : `This needs a sign-in within the last ${RECENT_SIGN_IN_MINUTES} minutes. Then repeat what you did: your input is kept.`}
      </p>
      {isPerson ? (
        // In another tab, so that this page stays as it is.
        <>
          <a class="button primary full" href={toSignIn()} target="_blank" rel="noopener">
            Sign in in a new tab
          </a>
          <ActionButton
            text="I have signed in"
            class="full"
            failure="You are not signed in yet"
            run={resume}
          />
        </>
      ) : (
        <CredentialForm />
      )}
    </Dialog>
  );
}

function CredentialForm() {
  const [token, setToken] = useState('');
  const action = useAction();
  const { error } = action;
  const field = useRef<HTMLInputElement>(null);
  const send = async () => {
    try {
      if (token.trim() === '') throw missing();
      await signIn(token.trim());
    } catch (failure) {
      field.current?.focus();
      field.current?.select();
      throw failure;
    }
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    void action.run(send);
  };
  const message = error === null ? undefined : MESSAGES[error.code];
  return (
    <form onSubmit={submit} noValidate>
      <input type="text" autocomplete="username" value="administrator" readOnly hidden />
      <Field
        label="ADMIN_TOKEN"
        hint={HINT}
        errors={message ? [message] : []}
        ref={field}
        type="password"
        autocomplete="current-password"
        required
        value={token}
        onValue={setToken}
      />
      {error && message === undefined && <Failure what="You could not be signed in" error={error} />}
      <Submit text="Sign in" action={action} class="primary full" />
    </form>
  );
}

/** By the code of the problem; others are shown above the button. */
const MESSAGES: Readonly<Record<string, string>> = {
  unauthorized: 'This is not ADMIN_TOKEN. Copy all of it again; credentials of programs do not sign in here.',
  validation_failed: 'Enter ADMIN_TOKEN.',
};

function missing(): ApiError {
  return new ApiError(400, { error: 'The credential is missing.', code: 'validation_failed' });
}

const HINT = (
  <>
    The setting, or the content of the file <code>admin-token</code> in the data directory.
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

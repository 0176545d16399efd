/** The choice of the credential that requests are sent with. */
import { useEffect, useId } from 'preact/hooks';
import { basePath } from '../common/api.ts';
import { Button } from '../common/components.tsx';
import { Field } from '../common/form.tsx';
import { hasConsole } from '../common/instance.ts';
import {
  checkSession,
  pasteToken,
  preferSession,
  type Sender,
  sender,
  session,
  sessionName,
  token,
  tokenError,
} from './credentials.ts';

const SENDERS: Readonly<Record<Sender, string>> = {
  anonymous: 'Anonymous',
  session: 'Session of the console in this browser',
  token: 'Token: paste one',
};

export function SenderChoice() {
  const name = useId();
  const offered = (Object.keys(SENDERS) as Sender[]).filter((each) => each !== 'session' || hasConsole);
  useEffect(() => {
    if (hasConsole) void preferSession();
  }, []);
  const choose = (chosen: Sender) => {
    sender.value = chosen;
    if (chosen === 'session') void checkSession();
  };
  return (
    <fieldset class="panel body stack tight" id="sender" tabIndex={-1}>
      <legend>Send requests as</legend>
      {offered.map((each) => (
        <label key={each} class="option">
          <input
            type="radio"
            name={name}
            value={each}
            checked={sender.value === each}
            onChange={() => choose(each)}
          />
          {SENDERS[each]}
        </label>
      ))}
      {sender.value === 'token' && <TokenField />}
      {sender.value === 'session' && <SessionState />}
    </fieldset>
  );
}

function TokenField() {
  return (
    <Field
      label="Token"
      hint={HINT}
      type="password"
      autocomplete="off"
      value={token.value}
      onValue={pasteToken}
      errors={tokenError.value === null ? [] : [tokenError.value]}
    />
  );
}

const HINT =
  'Of a user (fd_pat_…) or a credential (fd_svc_…). Copied samples have it. Kept until you leave this page, sent only to operations that accept it, and not stored.';

function SessionState() {
  return (
    <div class="field">
      <p role="status" aria-busy={session.value === 'checking'}>
        {session.value === 'checking' && 'Looking for the session…'}
        {session.value === 'active' && (
          <>
            You are signed in as <strong>{sessionName}</strong>. <em>Try it</em> sends the session to
            operations of administrators. Commands elsewhere need a credential:{' '}
            <a href={`${basePath}/console/credentials`}>create one</a>, then paste it here.
          </>
        )}
        {session.value === 'absent' && (
          <>
            This browser has no session. <a href={`${basePath}/console`}>Sign in to the console</a>, then come
            back.
          </>
        )}
        {session.value === 'unreachable' && 'The service did not say whether there is a session.'}
      </p>
      <Button text="Check again" class="compact" onClick={checkSession} />
    </div>
  );
}

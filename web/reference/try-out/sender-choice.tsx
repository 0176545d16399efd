/** The choice of the credential that requests are sent with. */
import { useId } from 'preact/hooks';
import { basePath } from '../../common/api.ts';
import { Labelled } from '../../common/form.tsx';
import { hasConsole } from '../header.tsx';
import { checkSession, pasteToken, type Sender, sender, session, token, tokenError } from './credentials.ts';

const SENDERS: Readonly<Record<Sender, string>> = {
  anonymous: 'Anonymous',
  user: 'A user: paste a token',
  admin: 'The administrator: the session of this browser',
};

export function SenderChoice() {
  const name = useId();
  const offered = (Object.keys(SENDERS) as Sender[]).filter((each) => each !== 'admin' || hasConsole);
  const choose = (chosen: Sender) => {
    sender.value = chosen;
    if (chosen === 'admin') void checkSession();
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
      {sender.value === 'user' && <TokenField />}
      {sender.value === 'admin' && <SessionState />}
    </fieldset>
  );
}

function TokenField() {
  return (
    <Labelled label="Access token" hint={HINT} errors={tokenError.value === null ? [] : [tokenError.value]}>
      {(attributes) => (
        <input
          {...attributes}
          type="password"
          autocomplete="off"
          spellcheck={false}
          value={token.value}
          onInput={({ currentTarget }) => pasteToken(currentTarget.value)}
        />
      )}
    </Labelled>
  );
}

const HINT = 'Kept until you leave this page, and sent only to operations that a user may call. Not stored.';

function SessionState() {
  return (
    <div class="field">
      <p role="status" aria-busy={session.value === 'checking'}>
        {session.value === 'checking' && 'Looking for the session…'}
        {session.value === 'active' &&
          'You are signed in. The session is used for operations that the administrator may call.'}
        {session.value === 'absent' && (
          <>
            This browser has no session. <a href={`${basePath}/console`}>Sign in to the console</a>, then come
            back.
          </>
        )}
        {session.value === 'unreachable' && 'The service did not say whether there is a session.'}
      </p>
      <button type="button" class="compact" onClick={checkSession}>
        Check again
      </button>
    </div>
  );
}

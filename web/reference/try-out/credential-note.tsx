/** Note that names the credential of a request. */
import type { Access } from '../description/operations.ts';
import type { Credential } from './credentials.ts';

interface CredentialNoteProps {
  readonly access: Access;
  readonly credential: Credential | null;
}

const SENT: Readonly<Record<Credential, string>> = {
  token: 'Sent with the token that you pasted.',
  session: 'Sent with your session of the console.',
};

const NEEDED: Readonly<Record<Access, string>> = {
  public: 'Sent without a credential: this operation ignores them.',
  optional: 'Sent anonymously.',
  user: 'Sent anonymously, but this operation needs the token of a user.',
  admin: 'Sent anonymously, but this operation needs a session of the console or a credential.',
};

export function CredentialNote({ access, credential }: CredentialNoteProps) {
  return (
    <p>
      {credential === null ? NEEDED[access] : SENT[credential]}
      {access !== 'public' && (
        <>
          {' '}
          <a href="#sender">Change the sender</a>
        </>
      )}
    </p>
  );
}

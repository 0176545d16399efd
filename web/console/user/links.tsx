/** Sends links to the user by email. */
import type { LinkKind, User } from '../../common/api-types.ts';
import { Failure } from '../../common/components.tsx';
import { Link } from '../../common/router.tsx';
import { useAction } from '../../common/use-action.ts';
import { linkToMail } from '../mail/mail-filters.tsx';
import { request } from '../session.ts';
import { announce } from '../status.tsx';
import { userPath } from '../user-record.tsx';
import type { UserSection } from './user-section.ts';

const LINKS = {
  claim_account: { label: 'Send a link to set the first password', valid: '7 days' },
  reset_password: { label: 'Send a link to set a new password', valid: 'an hour' },
  verify_email: { label: 'Send a link to verify the email', valid: '7 days' },
} as const satisfies Record<LinkKind, object>;

/** Returns the links that the service would send in this state. */
function listLinkKinds({ state, email, email_verified_at }: User): readonly LinkKind[] {
  if (email === null || state === 'disabled') return [];
  if (state === 'unclaimed') return ['claim_account'];
  return email_verified_at === null ? ['reset_password', 'verify_email'] : ['reset_password'];
}

export function Links({ user, onChange }: UserSection) {
  const action = useAction();
  const kinds = listLinkKinds(user);
  const send = (kind: LinkKind) =>
    action.run(async () => {
      await request(`${userPath(user.id)}/links`, { method: 'POST', body: { kind } });
      announce(`A link will be sent to ${user.email}. It is valid for ${LINKS[kind].valid}.`);
      onChange();
    });
  return (
    <>
      <h3>Links by email</h3>
      {kinds.length === 0 && (
        <p class="small">
          {user.email === null ? 'There is no email to send to.' : 'Enable the user first.'}
        </p>
      )}
      {kinds.map((kind) => (
        <button key={kind} type="button" onClick={() => send(kind)}>
          {LINKS[kind].label}
        </button>
      ))}
      {action.error && <Failure what="The link was not sent" error={action.error} />}
      {user.email !== null && (
        <p class="small">
          <Link to={linkToMail({ recipient: user.email })}>Messages to this user</Link>
        </p>
      )}
    </>
  );
}

/** Sends links to the user by email. */
import type { LinkKind, User } from '../../common/api-types.ts';
import { Failure } from '../../common/components.tsx';
import { useAction } from '../../common/use-action.ts';
import { Dropdown } from '../records/controls.tsx';
import { may } from '../permissions.ts';
import { request } from '../session.ts';
import { announce } from '../status.tsx';
import { userPath } from '../users/record.tsx';
import type { UserSection } from './user-section.ts';

const LINKS = {
  claim_account: { label: 'Send a link to set the first password', valid: '7 days' },
  reset_password: { label: 'Send a link to set a new password', valid: 'an hour' },
  verify_email: { label: 'Send a link to verify the email', valid: '7 days' },
} as const satisfies Record<LinkKind, object>;

export function SendLink({ user, onChange, kind }: UserSection & { readonly kind: LinkKind }) {
  const action = useAction();
  const send = async () => {
    await request(`${userPath(user.id)}/links`, { method: 'POST', body: { kind } });
    announce(`A link will be sent to ${user.email}. It is valid for ${LINKS[kind].valid}.`);
    onChange();
  };
  if (user.email === null || !may('links:send')) return null;
  return (
    <>
      <button type="button" onClick={() => action.run(send)} aria-busy={action.isBusy}>
        {LINKS[kind].label}
      </button>
      {action.error && <Failure what="The link was not sent" error={action.error} />}
    </>
  );
}

/** The links to active users. That of others is offered where the page says why they cannot log in. */
export function LinkMenu(section: UserSection) {
  const { state, email, email_verified_at }: User = section.user;
  if (state !== 'active' || email === null || !may('links:send')) return null;
  return (
    <Dropdown icon="mail" label="Send a link…" staysOpen>
      <div class="menu">
        <SendLink {...section} kind="reset_password" />
        {email_verified_at === null && <SendLink {...section} kind="verify_email" />}
      </div>
    </Dropdown>
  );
}

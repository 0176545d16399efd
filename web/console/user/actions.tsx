/** The actions on a user: the usual ones as buttons, the rarer ones in a menu. */
import type { LinkKind, User } from '../../common/api-types.ts';
import { ConfirmDialog } from '../../common/confirm-dialog.tsx';
import { Dropdown } from '../records/controls.tsx';
import { ActionButton, type RecordAction, RecordActions } from '../records/record-actions.tsx';
import { FormDialog, type RecordForm } from '../records/record-form.tsx';
import type { Section } from '../records/requests.ts';
import { may, mayChange, request } from '../session.ts';
import { announce } from '../status.tsx';
import { toLabel, type UserDialog, type UserSection, users } from '../users/record.tsx';
import { EraseUser } from './erase.tsx';
import { MergeUsers } from './merge-users.tsx';
import { RevokeAll } from './tokens.tsx';

const isChangeable = (user: User) => mayChange(user, 'users:write');

const ACTIONS: readonly RecordAction<User>[] = [
  {
    label: 'Disable…',
    isShown: (user) => isChangeable(user) && user.state === 'active',
    Dialog: DisableUser,
  },
];
const MENU: readonly RecordAction<User>[] = [
  { label: 'Set a password…', class: 'plain', isShown: isChangeable, Dialog: SetPassword },
  {
    label: 'Revoke all devices…',
    class: 'plain',
    isShown: (user) => mayChange(user, 'tokens:write'),
    Dialog: RevokeAll,
  },
  { label: 'Merge…', class: 'plain', isShown: isChangeable, Dialog: MergeUsers },
  { label: 'Erase user…', class: 'plain danger', isShown: isChangeable, Dialog: EraseUser },
];

export function UserActions(section: UserSection) {
  const { state, email, email_verified_at } = section.record;
  return (
    <RecordActions {...section} actions={ACTIONS} menu={MENU}>
      {/* The link to others is offered where the page says why they cannot sign in. */}
      {state === 'active' && email !== null && may('links:send') && (
        <Dropdown icon="mail" label="Send a link…" staysOpen>
          <div class="menu">
            <SendLink {...section} kind="reset_password" />
            {email_verified_at === null && <SendLink {...section} kind="verify_email" />}
          </div>
        </Dropdown>
      )}
    </RecordActions>
  );
}

/** Changes the state, and offers to undo the change. */
async function setState(section: Section<User>, state: 'active' | 'disabled'): Promise<void> {
  const user = section.record;
  const changed = await users.change(section, { state });
  const back = user.state === 'unclaimed' ? undefined : user.state;
  const lasting =
    state === 'disabled' ? 'All sessions have ended.' : 'Tokens that were revoked stay revoked.';
  announce(`${toLabel(changed)} was ${state === 'disabled' ? 'disabled' : 'enabled'}. ${lasting}`, {
    undo: back && (() => setState({ ...section, record: changed }, back)),
  });
  section.onChange();
}

function DisableUser({ onClose, ...section }: UserDialog) {
  const disable = async () => {
    await setState(section, 'disabled');
    onClose();
  };
  return (
    <ConfirmDialog
      title={`Disable ${toLabel(section.record)}?`}
      verb="Disable user"
      failure="The user was not disabled"
      onConfirm={disable}
      onClose={onClose}
    >
      <p>
        The user is signed out everywhere at once, and links that were sent stop working. Enabling the user
        again does not bring them back.
      </p>
    </ConfirmDialog>
  );
}

export function EnableUser(section: Section<User>) {
  return (
    <ActionButton text="Enable" failure="The user was not enabled" run={() => setState(section, 'active')} />
  );
}

const PASSWORD_FORM: RecordForm<User, { readonly password: string }> = {
  toTyped: () => ({ password: '' }),
  toBody: (typed) => typed,
  getFields: () => [
    { name: 'password', label: 'New password', type: 'password', autocomplete: 'new-password' },
  ],
};

function SetPassword(dialog: UserDialog) {
  const { id, state } = dialog.record;
  const label = toLabel(dialog.record);
  const save = async (body: object) => {
    await request(users.pathTo(id, '/password'), { method: 'PUT', body });
    return `The password of ${label} was set. All sessions have ended.`;
  };
  return (
    <FormDialog
      {...dialog}
      form={PASSWORD_FORM}
      title={`Set the password of ${label}`}
      verb="Set the password"
      failure="The password was not set"
      act={save}
    >
      <p>
        The user is signed out everywhere at once, links that were sent stop working, and the user gets a
        notice by email.{state === 'unclaimed' && ' The account becomes active.'}
        {state === 'disabled' && ' The account stays disabled.'}
      </p>
    </FormDialog>
  );
}

const LINKS = {
  claim_account: { label: 'Send a link to set up the account', valid: '7 days' },
  reset_password: { label: 'Send a link to set a new password', valid: 'an hour' },
  verify_email: { label: 'Send a link to verify the email', valid: '7 days' },
} as const satisfies Record<LinkKind, object>;

/** Sends a link to the user by email. */
export function SendLink({ record: user, onChange, kind }: Section<User> & { readonly kind: LinkKind }) {
  const send = async () => {
    await request(users.pathTo(user.id, '/links'), { method: 'POST', body: { kind } });
    announce(`A link will be sent to ${user.email}. It is valid for ${LINKS[kind].valid}.`);
    onChange();
  };
  if (user.email === null || !may('links:send')) return null;
  return <ActionButton text={LINKS[kind].label} failure="The link was not sent" run={send} />;
}

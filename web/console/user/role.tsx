/** The role of a user, which owners change. */
import { ROLE_NAMES } from '../../../src/callers/admin-scopes.ts';
import type { User } from '../../common/api-types.ts';
import { Failure, Panel } from '../../common/components.tsx';
import { Options, useAction } from '../../common/form.tsx';
import { announce } from '../status.tsx';
import { toLabel, type UserSection, users } from '../users/record.tsx';

const ROLES_IN_WORDS: Readonly<Record<NonNullable<User['role']>, string>> = {
  owner: 'Owner: everything',
  support: 'Support: users, their tokens and links',
  auditor: 'Auditor: reads, and changes nothing',
};

interface RoleChoiceProps {
  readonly value: string;
  readonly onValue: (role: string) => void;
  readonly isBusy?: boolean;
}

/** A choice of roles, the first of which is none. */
export function RoleChoice({ value, onValue, isBusy = false }: RoleChoiceProps) {
  return (
    <label>
      Role
      <select value={value} disabled={isBusy} onChange={({ currentTarget }) => onValue(currentTarget.value)}>
        <option value="">None: a user of the applications</option>
        <Options options={ROLE_NAMES.map((role) => [role, ROLES_IN_WORDS[role]])} />
      </select>
    </label>
  );
}

export function Role(section: UserSection) {
  const user = section.record;
  const action = useAction();
  const change = async (value: string) => {
    const role = (value || null) as User['role'];
    const changed = await users.change(section, { role });
    announce(`${toLabel(changed)} ${role ? `has the role ${role}` : 'has no role'} now.`);
    section.onChange();
  };
  return (
    <Panel title="Administration" id="role" body="stack tight">
      <p class="small">People with a role sign in to this console. A change takes effect at once.</p>
      <RoleChoice
        key={`${user.version} ${action.error?.code}`}
        value={user.role ?? ''}
        isBusy={action.isBusy}
        onValue={(value) => action.run(() => change(value))}
      />
      {action.error && <Failure what="The role was not changed" error={action.error} />}
    </Panel>
  );
}

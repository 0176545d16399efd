/** Creates a user. */
import type { User } from '../../common/api-types.ts';
import { CreateRecord } from '../records/create-record.tsx';
import type { FormField, RecordForm } from '../records/record-form.tsx';
import { may } from '../session.ts';
import { RoleChoice } from '../user/role.tsx';
import { toLabel, users } from './record.tsx';

const EMPTY = { name: '', email: '', password: '', level: '', locale: '', role: '' };
type TypedUser = typeof EMPTY;

const FIELDS: readonly FormField<TypedUser>[] = [
  { name: 'name', label: 'Name', direction: 'auto' },
  { name: 'email', label: 'Email', type: 'email' },
  {
    name: 'password',
    label: 'Password (optional)',
    type: 'password',
    autocomplete: 'new-password',
    hint: 'Without a password, the user gets an email with a link to set one.',
  },
  { name: 'level', label: 'Level (optional)' },
  {
    name: 'locale',
    label: 'Language (optional)',
    hint: 'For mail to the user: a tag such as de or pt-BR.',
  },
];

const USER_FORM: RecordForm<User, TypedUser> = {
  toTyped: () => EMPTY,
  toBody: ({ name, email, ...optional }) => ({
    ...{ name, email },
    ...Object.fromEntries(Object.entries(optional).filter(([, text]) => text !== '')),
  }),
  getFields: ({ role }, set) => [
    ...FIELDS,
    {
      name: 'role',
      render: () => may('admin') && <RoleChoice value={role} onValue={(chosen) => set({ role: chosen })} />,
    },
  ],
};

export function CreateUser({ onCreated }: { readonly onCreated: () => void }) {
  return (
    <CreateRecord
      records={users}
      form={USER_FORM}
      onCreated={onCreated}
      getMessage={describeCreation}
      next="link"
    />
  );
}

function describeCreation(user: User): string {
  const link = user.state === 'unclaimed' ? ' An email with a link to set the password will be sent.' : '';
  return `${toLabel(user)} was created.${link}`;
}

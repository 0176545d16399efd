/** Creates a user. */
import type { ComponentProps } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { ApiError } from '../../common/api.ts';
import type { User } from '../../common/api-types.ts';
import { Dialog } from '../../common/dialog.tsx';
import { ActionForm, DialogButtons, Field } from '../../common/form.tsx';
import { Icon } from '../../common/icon.tsx';
import { useAction } from '../../common/use-action.ts';
import { may } from '../permissions.ts';
import { request } from '../session.ts';
import { useStarted } from '../start-action.ts';
import { announce } from '../status.tsx';
import { RoleChoice } from '../user/role.tsx';
import { toLabel } from './record.tsx';

const VERB = 'Create user';

export function CreateUser({ onCreated }: Pick<CreateFormProps, 'onCreated'>) {
  const [isOpen, setOpen] = useState(false);
  useStarted(VERB, () => setOpen(true));
  const close = () => setOpen(false);
  return (
    <>
      <button type="button" class="primary" onClick={() => setOpen(true)}>
        <Icon name="plus" />
        {VERB}
      </button>
      {isOpen && (
        <Dialog title={VERB} onClose={close}>
          <CreateForm onCreated={onCreated} onClose={close} />
        </Dialog>
      )}
    </>
  );
}

const EMPTY = { name: '', email: '', password: '', level: '', locale: '', role: '' };
type NewUserForm = typeof EMPTY;

interface CreateFormProps {
  readonly onCreated: () => void;
  readonly onClose: () => void;
}

function CreateForm({ onCreated, onClose }: CreateFormProps) {
  const [typed, setTyped] = useState<NewUserForm>(EMPTY);
  const action = useAction();
  const create = useCreation();
  const submit = async () => {
    const user = await create(typed);
    announce(createdText(user, typed), { link: { to: `/console/users/${user.id}`, text: 'Open' } });
    onCreated();
    onClose();
  };
  const field = (name: keyof NewUserForm) => ({
    name,
    value: typed[name],
    error: action.error,
    onValue: (value: string) => setTyped((last) => ({ ...last, [name]: value })),
  });
  return (
    <ActionForm
      action={action}
      onSubmit={submit}
      failure="The user was not created"
      fields={Object.keys(EMPTY)}
    >
      <Fields field={field} />
      {may('admin') && (
        <RoleChoice value={typed.role} onValue={(role) => setTyped((last) => ({ ...last, role }))} />
      )}
      <DialogButtons onClose={onClose} action={action}>
        Create user
      </DialogButtons>
    </ActionForm>
  );
}

interface FieldsProps {
  readonly field: (
    name: keyof NewUserForm,
  ) => Pick<ComponentProps<typeof Field>, 'name' | 'value' | 'error' | 'onValue'>;
}

function Fields({ field }: FieldsProps) {
  return (
    <>
      <Field {...field('name')} label="Name" autocomplete="off" direction="auto" />
      <Field {...field('email')} label="Email" type="email" autocomplete="off" />
      <Field
        {...field('password')}
        label="Password (optional)"
        type="password"
        autocomplete="new-password"
        hint="Without a password, the user gets an email with a link to set one."
      />
      <Field {...field('level')} label="Level (optional)" autocomplete="off" />
      <Field
        {...field('locale')}
        label="Language (optional)"
        autocomplete="off"
        hint="For mail to the user: a tag such as de or pt-BR."
      />
    </>
  );
}

function createdText(user: User, { password }: NewUserForm): string {
  const link = password === '' ? ' An email with a link to set the password will be sent.' : '';
  return `${toLabel(user)} was created.${link}`;
}

interface CreationAttempt {
  readonly body: string;
  readonly key: string;
}

/**
 * Returns a function that creates a user once: the same input is sent with the same key until the service has
 * responded, because a request without a response may have been processed.
 */
function useCreation(): (typed: NewUserForm) => Promise<User> {
  const attempt = useRef<CreationAttempt | null>(null);
  return async ({ password, level, locale, role, ...required }) => {
    const texts = { password, level, locale, role };
    const optional = Object.fromEntries(Object.entries(texts).filter(([, value]) => value !== ''));
    const input = { ...required, ...optional };
    const body = JSON.stringify(input);
    if (attempt.current?.body !== body) attempt.current = { body, key: crypto.randomUUID() };
    try {
      const headers = { 'Idempotency-Key': attempt.current.key };
      const path = '/api/v1/users';
      return (await request<{ data: User }>(path, { method: 'POST', headers, body: input })).body.data;
    } catch (error) {
      if (error instanceof ApiError && isFinal(error)) attempt.current = null;
      throw error;
    }
  };
}

/** Whether nothing was created. The session may have ended while an earlier request was processed. */
function isFinal({ status, code }: ApiError): boolean {
  return status >= 400 && status < 500 && status !== 401 && code !== 'idempotency_key_in_use';
}

/** Creates the first owner, after a sign-in with ADMIN_TOKEN. */
import { basePath } from '../common/api.ts';
import { Button } from '../common/components.tsx';
import { ActionForm, Submit, useAction } from '../common/form.tsx';
import { clearOwnStorage } from '../common/storage.ts';
import { type FormField, FormFields, useTyped } from './records/record-form.tsx';
import { post } from './records/requests.ts';
import { hasOwner, hasSignInPage, request, session } from './session.ts';
import { EntryPage } from './sign-in.tsx';

const EMPTY = { name: '', email: '', password: '' };
const FIELDS: readonly FormField<typeof EMPTY>[] = [
  { name: 'name', label: 'Name', direction: 'auto' },
  { name: 'email', label: 'Email', type: 'email' },
  {
    name: 'password',
    label: 'Password',
    type: 'password',
    autocomplete: 'new-password',
    hint: 'Required while no mail server is connected. With one, a link to set it is sent if you leave it empty.',
  },
];

export function FirstRunPage() {
  return (
    <EntryPage title="Create an owner">
      <div class="panel stack">
        <p>
          Nobody administers this service with an account of their own yet. Create one for yourself: events
          then name you, and ADMIN_TOKEN is only needed as the way back in.
        </p>
        <OwnerForm />
        <Button text="Not now" class="plain" onClick={() => (session.value = 'active')} />
      </div>
    </EntryPage>
  );
}

/** Signs the owner in as the form of the page does, which redirects then. */
async function signInOwner({ email, password }: typeof EMPTY): Promise<boolean> {
  const body = new URLSearchParams({ email, current_password: password });
  const { type } = await fetch(`${basePath}/sign-in`, { method: 'POST', body, redirect: 'manual' });
  return type === 'opaqueredirect';
}

function OwnerForm() {
  const [typed, set] = useTyped(() => EMPTY);
  const action = useAction();
  const submit = async () => {
    const { password, ...required } = typed;
    const body = { ...required, ...(password && { password }), role: 'owner' };
    await post('/api/v1/users', body);
    if (!hasSignInPage) {
      hasOwner.value = true;
      session.value = 'active';
      return;
    }
    await request('/console/session', { method: 'DELETE' });
    clearOwnStorage();
    const parameters = new URLSearchParams({ login_hint: typed.email, return_to: '/console' });
    const isSignedIn = password !== '' && (await signInOwner(typed));
    location.assign(isSignedIn ? `${basePath}/console` : `${basePath}/sign-in?${parameters}`);
  };
  return (
    <ActionForm
      action={action}
      onSubmit={submit}
      failure="The owner was not created"
      fields={Object.keys(EMPTY)}
    >
      <FormFields fields={FIELDS} typed={typed} set={set} error={action.error} />
      <Submit text="Create owner and sign in" action={action} class="primary full" />
    </ActionForm>
  );
}

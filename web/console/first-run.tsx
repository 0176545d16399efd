/** Creates the first owner, after a sign-in with ADMIN_TOKEN. */
import { useState } from 'preact/hooks';
import { basePath } from '../common/api.ts';
import { ActionForm, Field } from '../common/form.tsx';
import { clearOwnStorage } from '../common/storage.ts';
import { useAction } from '../common/use-action.ts';
import { request, skipFirstRun } from './session.ts';
import { EntryPage } from './sign-in.tsx';

const EMPTY = { name: '', email: '', password: '' };

export function FirstRunPage() {
  return (
    <EntryPage title="Create an owner">
      <div class="panel stack">
        <p>
          Nobody administers this service with an account of their own yet. Create one for yourself: events
          then name you, and ADMIN_TOKEN is only needed as the way back in.
        </p>
        <OwnerForm />
        <button type="button" class="plain" onClick={skipFirstRun}>
          Not now
        </button>
      </div>
    </EntryPage>
  );
}

function OwnerForm() {
  const [typed, setTyped] = useState(EMPTY);
  const action = useAction();
  const field = (name: keyof typeof EMPTY) => ({
    name,
    value: typed[name],
    error: action.error,
    onValue: (value: string) => setTyped((last) => ({ ...last, [name]: value })),
  });
  const submit = async () => {
    const { password, ...required } = typed;
    const body = { ...required, ...(password && { password }), role: 'owner' };
    await request('/api/v1/users', { method: 'POST', body });
    await request('/console/session', { method: 'DELETE' });
    clearOwnStorage();
    const parameters = new URLSearchParams({ login_hint: typed.email, return_to: '/console' });
    location.assign(`${basePath}/sign-in?${parameters}`);
  };
  return (
    <ActionForm
      action={action}
      onSubmit={submit}
      failure="The owner was not created"
      fields={Object.keys(EMPTY)}
    >
      <Field {...field('name')} label="Name" autocomplete="off" direction="auto" />
      <Field {...field('email')} label="Email" type="email" autocomplete="off" />
      <Field
        {...field('password')}
        label="Password"
        type="password"
        autocomplete="new-password"
        hint="If you leave it empty, an email with a link to set it will be sent."
      />
      <button type="submit" class="primary full" aria-busy={action.isBusy} disabled={action.isBusy}>
        Create owner and sign in
      </button>
    </ActionForm>
  );
}

/** The settings of a new credential. */
import { useState } from 'preact/hooks';
import type { AdminScope } from '../../../src/callers/admin-scopes.ts';
import { ActionForm, DialogButtons, Field } from '../../common/form.tsx';
import { timeZone } from '../../common/time.tsx';
import { useAction } from '../../common/use-action.ts';
import { ScopeChoice } from './scope-choice.tsx';

export interface CredentialSettings {
  readonly name: string;
  readonly scopes: readonly AdminScope[];
  readonly expires_at: string | null;
  readonly networks: readonly string[] | null;
}

interface CredentialFormProps {
  readonly onSubmit: (settings: CredentialSettings) => Promise<unknown>;
  readonly onClose: () => void;
}

const FIELDS = ['name', 'scopes', 'expires_at', 'networks'];

export function CredentialForm({ onSubmit, onClose }: CredentialFormProps) {
  const [scopes, setScopes] = useState<readonly AdminScope[]>([]);
  const [typed, setTyped] = useState({ name: '', expires_at: '', networks: '' });
  const action = useAction();
  const submit = () => onSubmit({ ...toSettings(typed), scopes });
  const field = (name: keyof typeof typed) => ({
    name,
    value: typed[name],
    onValue: (text: string) => setTyped((last) => ({ ...last, [name]: text })),
    error: action.error,
    autocomplete: 'off' as const,
  });
  return (
    <ActionForm action={action} onSubmit={submit} failure="The credential was not created" fields={FIELDS}>
      <Field {...field('name')} label="Name" direction="auto" hint={HINTS.name} />
      <ScopeChoice scopes={scopes} onScopes={setScopes} errors={action.error?.errors.scopes ?? []} />
      <Field
        {...field('expires_at')}
        label="Expires (optional)"
        type="datetime-local"
        hint={HINTS.expires_at}
      />
      <Field {...field('networks')} label="Networks (optional)" hint={HINTS.networks} />
      <DialogButtons onClose={onClose} action={action}>
        Create credential
      </DialogButtons>
    </ActionForm>
  );
}

const HINTS = {
  name: 'Of the program: events name it.',
  expires_at: `In ${timeZone}. Without it, the credential is valid until it is revoked.`,
  networks: 'Addresses and networks such as 192.0.2.0/24, separated by commas. Without them, all.',
};

interface TypedSettings {
  readonly name: string;
  readonly expires_at: string;
  readonly networks: string;
}

function toSettings({ name, expires_at, networks }: TypedSettings): Omit<CredentialSettings, 'scopes'> {
  return {
    name,
    expires_at: expires_at === '' ? null : new Date(expires_at).toISOString(),
    networks: toList(networks),
  };
}

function toList(text: string): string[] | null {
  const list = text.split(/[\s,]+/).filter((part) => part !== '');
  return list.length === 0 ? null : list;
}

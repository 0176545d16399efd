/** The settings of an identity provider. */
import { useState } from 'preact/hooks';
import type { IdentityProvider, ProviderSettings } from '../../common/api-types.ts';
import { ActionForm, DialogButtons, Field } from '../../common/form.tsx';
import { Tiles } from '../../common/tiles.tsx';
import { useAction } from '../../common/use-action.ts';

interface ProviderFormProps {
  /** Null for a new one. */
  readonly provider: IdentityProvider | null;
  readonly verb: string;
  readonly failure: string;
  readonly onSubmit: (settings: Partial<ProviderSettings>) => Promise<unknown>;
  readonly onClose: () => void;
}

const FIELDS = ['name', 'issuer', 'client_id', 'client_secret', 'scopes'];

export function ProviderForm({ provider, verb, failure, onSubmit, onClose }: ProviderFormProps) {
  const [kind, setKind] = useState<IdentityProvider['kind']>(provider?.kind ?? 'oidc');
  const [typed, setTyped] = useState(() => toTyped(provider));
  const [trust_email, setTrust] = useState(provider?.trust_email ?? false);
  const action = useAction();
  const isNew = provider === null;
  const submit = () => onSubmit({ ...toBody(typed), trust_email, ...(isNew && { kind }) });
  return (
    <ActionForm action={action} onSubmit={submit} failure={failure} fields={FIELDS}>
      {isNew && <Tiles legend="Kind" name="kind" options={KINDS} value={kind} onValue={setKind} />}
      {listFields(kind, isNew, typed.name).map(([name, label, hint]) => (
        <Field
          key={name}
          {...{ name, label, hint }}
          type={name === 'client_secret' ? 'password' : 'text'}
          autocomplete={name === 'client_secret' ? 'new-password' : 'off'}
          value={typed[name]}
          onValue={(text) => setTyped((last) => ({ ...last, [name]: text }))}
          error={action.error}
        />
      ))}
      <TrustChoice isTrusted={trust_email} onTrust={setTrust} />
      <DialogButtons onClose={onClose} action={action}>
        {verb}
      </DialogButtons>
    </ActionForm>
  );
}

const KINDS = {
  oidc: ['OpenID Connect', 'Google, Microsoft, Keycloak and most others.'],
  github: ['GitHub', 'Has an interface of its own.'],
} as const;

/** Names, labels and hints of the fields. */
function listFields(kind: IdentityProvider['kind'], isNew: boolean, name: string) {
  const isGithub = kind === 'github';
  return [
    ['issuer', isGithub ? 'Server (optional)' : 'Issuer', ISSUER_HINTS[kind]],
    ['client_id', 'Client id', 'As the provider has assigned it to this service.'],
    ['client_secret', ...SECRET_TEXTS[isNew ? 'new' : 'stored']],
    ['name', 'Name on the button', `“Continue with ${name || 'Google'}”`],
    ['scopes', 'Scopes (optional)', 'Separated by spaces. Empty: what is needed for name and email.'],
  ] as const;
}

const SECRET_TEXTS = {
  new: ['Client secret', 'Stored encrypted, and never shown again.'],
  stored: ['New client secret (optional)', 'Empty: the stored one stays.'],
} as const;

const ISSUER_HINTS = {
  oidc: 'Such as https://accounts.google.com, letter by letter as the provider writes it. The discovery URL works, too.',
  github: 'Empty for github.com. The address of your own GitHub Enterprise server otherwise.',
} as const;

function toTyped(provider: IdentityProvider | null) {
  const { name = '', issuer = '', client_id = '', scopes = [] } = provider ?? {};
  return { name, issuer, client_id, client_secret: '', scopes: scopes.join(' ') };
}

/** Returns the body of the request. Empty optional members are left out. */
function toBody({ name, issuer, client_id, client_secret, scopes }: ReturnType<typeof toTyped>) {
  const list = scopes.split(/\s+/).filter((scope) => scope !== '');
  return {
    name,
    client_id,
    ...(issuer !== '' && { issuer }),
    ...(client_secret !== '' && { client_secret }),
    ...(list.length > 0 && { scopes: list }),
  };
}

interface TrustChoiceProps {
  readonly isTrusted: boolean;
  readonly onTrust: (isTrusted: boolean) => void;
}

function TrustChoice({ isTrusted, onTrust }: TrustChoiceProps) {
  return (
    <label class="option">
      <input type="checkbox" checked={isTrusted} onChange={() => onTrust(!isTrusted)} />
      <span>
        Every email of this provider is verified
        <small>
          Only for a provider of your own, which lets nobody use an address before it was verified: otherwise
          accounts can be taken over.
        </small>
      </span>
    </label>
  );
}

/** The settings of an identity provider. */
import type { IdentityProvider } from '../../common/api-types.ts';
import type { FormField, RecordForm } from '../records/record-form.tsx';

interface TypedProvider
  extends Pick<IdentityProvider, 'kind' | 'name' | 'issuer' | 'client_id' | 'trust_email'> {
  readonly client_secret: string;
  /** Separated by spaces. */
  readonly scopes: string;
}

const NEW = { kind: 'oidc', name: '', issuer: '', client_id: '', trust_email: false } as const;

export const PROVIDER_FORM: RecordForm<IdentityProvider, TypedProvider> = {
  toTyped: (provider) => ({
    ...(provider ?? NEW),
    client_secret: '',
    scopes: provider?.scopes.join(' ') ?? '',
  }),
  toBody,
  getFields: ({ kind, name }, _set, provider) => [
    ...(provider === null ? [KIND] : []),
    { name: 'issuer', label: kind === 'github' ? 'Server (optional)' : 'Issuer', hint: ISSUER_HINTS[kind] },
    {
      name: 'client_id',
      label: 'Client id',
      hint: 'As the provider has assigned it to this service.',
    },
    {
      name: 'client_secret',
      type: 'password',
      autocomplete: 'new-password',
      ...SECRET_TEXTS[provider === null ? 'new' : 'stored'],
    },
    { name: 'name', label: 'Name on the button', hint: `“Continue with ${name || 'Google'}”` },
    {
      name: 'scopes',
      label: 'Scopes (optional)',
      hint: 'Separated by spaces. Empty: what is needed for name and email.',
    },
    TRUST,
  ],
};

const KIND: FormField<TypedProvider> = {
  name: 'kind',
  label: 'Kind',
  tiles: {
    oidc: ['OpenID Connect', 'Google, Microsoft, Keycloak and most others.'],
    github: ['GitHub', 'Has an interface of its own.'],
  },
};

const TRUST: FormField<TypedProvider> = {
  name: 'trust_email',
  check: (
    <span>
      Every email of this provider is verified
      <small>
        Only for a provider of your own, which lets nobody use an address before it was verified: otherwise
        accounts can be taken over.
      </small>
    </span>
  ),
};

const SECRET_TEXTS = {
  new: { label: 'Client secret', hint: 'Stored encrypted, and never shown again.' },
  stored: { label: 'New client secret (optional)', hint: 'Empty: the stored one stays.' },
} as const;

const ISSUER_HINTS = {
  oidc: 'Such as https://accounts.google.com, letter by letter as the provider writes it. The discovery URL works, too.',
  github: 'Empty for github.com. The address of your own GitHub Enterprise server otherwise.',
} as const;

/** Empty optional members are left out. */
function toBody(typed: TypedProvider, provider: IdentityProvider | null) {
  const { kind, name, issuer, client_id, client_secret, trust_email } = typed;
  const scopes = typed.scopes.split(/\s+/).filter((scope) => scope !== '');
  return {
    ...{ name, client_id, trust_email },
    ...(provider === null && { kind }),
    ...(issuer !== '' && { issuer }),
    ...(client_secret !== '' && { client_secret }),
    ...(scopes.length > 0 && { scopes }),
  };
}

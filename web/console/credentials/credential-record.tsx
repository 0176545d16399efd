/** Credentials, as the API returns them. */
import type { Credential } from '../../common/api-types.ts';
import { capitalize } from '../../common/capitalize.ts';
import type { SessionCredential } from '../permissions.ts';
import { Secret } from '../secret.tsx';
import { findRole } from './scopes.ts';

export const API_PATH = '/api/v1/credentials';

export type CredentialWithSecret = Credential & { readonly credential: string };

export function credentialPath({ id }: Credential): string {
  return `${API_PATH}/${encodeURIComponent(id)}`;
}

export function formatScopes({ scopes }: Pick<SessionCredential, 'scopes'>): string {
  const role = findRole(scopes);
  return role === undefined ? scopes.join(', ') : capitalize(role);
}

export function isExpired({ expires_at }: Credential): boolean {
  return expires_at !== null && Date.parse(expires_at) <= Date.now();
}

interface CredentialSecretProps {
  readonly secret: string;
  readonly onClose: () => void;
}

export function CredentialSecret(props: CredentialSecretProps) {
  return (
    <Secret label="Credential" {...props}>
      A person signs in to this console with it, a program sends it as a bearer token.
    </Secret>
  );
}

/** Credentials, as the API returns them. */
import { ADMIN_SCOPES, type AdminScope } from '../../../src/callers/admin-scopes.ts';
import type { Credential } from '../../common/api-types.ts';
import { Secret } from '../records/secret.tsx';

export const API_PATH = '/api/v1/credentials';

export type CredentialWithSecret = Credential & { readonly credential: string };

export function credentialPath({ id }: Credential): string {
  return `${API_PATH}/${encodeURIComponent(id)}`;
}

/** Returns what the credential permits, in words. */
export function formatScopes({ scopes }: Pick<Credential, 'scopes'>): string {
  return scopes.map((scope) => ADMIN_SCOPES[scope as AdminScope]?.title ?? scope).join(', ');
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
      The program sends it as a bearer token.
    </Secret>
  );
}

/** Credentials as the API and the commands show them. */
import type { AdminCredential } from '../../callers/callers.ts';
import type { CreatedResponse } from '../../idempotency/stored-response.ts';
import { formatTimes, optionalTimestamp } from '../../lib/time.ts';
import { NOT_CACHED } from '../people/tokens/token-responses.ts';
import type { CredentialWithSecret } from './create-credential.ts';
import type { CredentialRow } from './queries.ts';
import { parseScopes } from './rules.ts';

/** Returns a credential as the API shows it, without its secret. */
export function credentialView(
  credential: CredentialRow,
  { caller, now }: { caller: AdminCredential; now: number },
) {
  const { id, scopes, networks, previous_until } = credential;
  const isOverlapping = previous_until !== null && previous_until > now;
  return {
    ...formatTimes(credential, ['created_at', 'expires_at', 'last_used_at', 'rotated_at', 'totp_enabled_at']),
    scopes: parseScopes(scopes),
    networks: networks === null ? null : (JSON.parse(networks) as string[]),
    previous_until: optionalTimestamp(isOverlapping ? previous_until : null),
    current: id === caller.id,
  };
}

/** Returns the response with a credential and its new secret. */
export function newCredentialResponse(
  { credential, secret }: CredentialWithSecret,
  {
    status,
    message,
    ...view
  }: {
    readonly status: 200 | 201;
    readonly message: string;
    readonly caller: AdminCredential;
    readonly now: number;
  },
): CreatedResponse {
  const location = status === 201 ? { location: `/api/v1/credentials/${credential.id}` } : {};
  return {
    status,
    headers: { ...NOT_CACHED, ...location },
    body: { message, data: { ...credentialView(credential, view), credential: secret } },
    createdResources: {},
  };
}

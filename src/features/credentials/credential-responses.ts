/** Responses with credentials. */
import type { AdminCredential } from '../../callers/callers.ts';
import type { CreatedResponse } from '../../idempotency/created-response.ts';
import { NOT_CACHED } from '../tokens/token-responses.ts';
import type { CredentialWithSecret } from './create-credential.ts';
import { credentialView } from './credential-view.ts';

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

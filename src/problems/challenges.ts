/** Problems of credentials, with the challenge that says which one is required (RFC 6750 section 3). */
import { Problem } from './problem.ts';

/** Returns the problem of a request without a credential: without an error code (RFC 6750 section 3.1). */
export function credentialRequired(realm: 'admin' | 'api'): Problem {
  return unauthorized(`Bearer realm="${realm}"`);
}

/** Returns the problem of a credential that is not accepted; the text is the same for every reason. */
export function credentialRejected(realm: 'admin' | 'api'): Problem {
  const reason = 'error="invalid_token", error_description="The access token is invalid or expired"';
  return unauthorized(`Bearer realm="${realm}", ${reason}`);
}

function unauthorized(challenge: string): Problem {
  return new Problem('unauthorized', { headers: { 'www-authenticate': challenge } });
}

/** Returns the problem of a token without these scopes. */
export function insufficientScope(missing: readonly string[]): Problem {
  const challenge = `Bearer realm="api", error="insufficient_scope", scope="${missing.join(' ')}"`;
  return new Problem('insufficient_scope', { headers: { 'www-authenticate': challenge } });
}

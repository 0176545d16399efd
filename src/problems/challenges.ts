/** Problems of credentials, with the challenge that says which one is required (RFC 6750 section 3). */
import type { Caller } from '../callers/callers.ts';
import { Problem, type ProblemOptions } from './problem.ts';
import { validationFailed } from './validation-failed.ts';

/** Returns the problem of a request without a credential: without an error code (RFC 6750 section 3.1). */
export function credentialRequired(realm: 'admin' | 'api'): Problem {
  return unauthorized(`Bearer realm="${realm}"`);
}

const INVALID = 'error="invalid_token", error_description="The access token is invalid or expired"';

/** Returns the problem of a credential that is not accepted; the text is the same for every reason. */
export function credentialRejected(realm: 'admin' | 'api'): Problem {
  return unauthorized(`Bearer realm="${realm}", ${INVALID}`);
}

/** Returns the problem of a sign-in with a code that is not accepted; the same for every reason. */
export function invalidTotpCode(): Problem {
  return new Problem('invalid_totp_code', { headers: { 'www-authenticate': 'Bearer realm="api"' } });
}

/** Returns the problem of a code in a request that is authenticated: a 401 would mean that its session has ended. */
export function wrongCode(): Problem {
  return validationFailed({ code: ['The code is wrong, has expired or was used before.'] });
}

/** Returns the problem of a code from the mail, as that of a field of a form. */
export function wrongMailCode(): Problem {
  return validationFailed({ mail_code: ['The code is wrong, has expired or had too many tries.'] });
}

/** Returns the problem of a credential in another header than Authorization, which its text names. */
export function headerRejected(name: string): Problem {
  return unauthorized(`Bearer realm="admin", ${INVALID}`, { text: `${name} is invalid` });
}

function unauthorized(challenge: string, options: ProblemOptions = {}): Problem {
  return new Problem('unauthorized', { ...options, headers: { 'www-authenticate': challenge } });
}

/** Returns the problem of a token or credential without these scopes. `caller`: if the request has none yet. */
export function insufficientScope(
  missing: readonly string[],
  realm: 'admin' | 'api' = 'api',
  caller?: Caller,
): Problem {
  const challenge = `Bearer realm="${realm}", error="insufficient_scope", scope="${missing.join(' ')}"`;
  return new Problem('insufficient_scope', {
    headers: { 'www-authenticate': challenge },
    denied: { scopes: missing, caller },
  });
}

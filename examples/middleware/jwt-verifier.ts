/** Verifies JSON Web Tokens by the published keys of the service, for the middleware beside this file. */
import { createRemoteJWKSet, errors, jwtVerify } from 'jose';
import { readBearer, UNAUTHORIZED, UNAVAILABLE, type Verify } from './verify.ts';

export interface JwtVerifierOptions {
  /** `PUBLIC_URL` of the service. */
  readonly issuer: string;
  /** The one of `JWT_AUDIENCES` that is this application. */
  readonly audience: string;
  /** Where the keys are, if not below the issuer. */
  readonly keys?: URL;
  /** Clock in milliseconds. */
  readonly now?: () => number;
}

const KEYS_PATH = '/.well-known/jwks.json';

/** Codes of errors that say nothing about the token: the keys could not be fetched. */
const NO_KEYS = ['ERR_JOSE_GENERIC', 'ERR_JWKS_INVALID', 'ERR_JWKS_TIMEOUT'];

/** Creates a function that verifies the value of an `Authorization` header without a request for each token. */
export function createJwtVerifier(options: JwtVerifierOptions): Verify {
  const { issuer, audience, now = Date.now } = options;
  // #region verify
  // Fetched with the first token, then every five minutes, and when a token has an unknown key.
  const keys = createRemoteJWKSet(options.keys ?? new URL(issuer + KEYS_PATH), { cacheMaxAge: 300_000 });
  const verifyToken = async (token: string) => {
    const { payload } = await jwtVerify<{ scope: string }>(token, keys, {
      // A token for another application must not be accepted here, and the token must not choose the algorithm.
      issuer,
      audience,
      algorithms: ['ES256'],
      typ: 'at+jwt',
      requiredClaims: ['sub', 'exp'],
      currentDate: new Date(now()),
    });
    return { id: payload.sub!, scopes: payload.scope.split(' ') };
  };
  // #endregion
  return async (authorization) => {
    const token = readBearer(authorization);
    if (token === undefined) return UNAUTHORIZED;
    try {
      return await verifyToken(token);
    } catch (error) {
      return error instanceof errors.JOSEError && !NO_KEYS.includes(error.code) ? UNAUTHORIZED : UNAVAILABLE;
    }
  };
}

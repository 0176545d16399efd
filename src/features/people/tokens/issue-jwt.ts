/** Issues JSON Web Tokens. Writes nothing. */
import type { UserCaller } from '../../../callers/callers.ts';
import type { DatabaseDeps } from '../../../database/database.ts';
import { newId } from '../../../lib/secrets/ids.ts';
import { formatTimestamp } from '../../../lib/time.ts';
import { Problem } from '../../../problems/problem.ts';
import { validationFailed } from '../../../problems/validation-failed.ts';
import { parseMetadata } from '../../users/records/metadata.ts';
import { getCallerRecord } from './find-token-caller.ts';
import { findAudiences } from './queries.ts';
import type { KeyRing } from './signing-keys/key-ring.ts';
import { JWT_LIFETIME_SECONDS } from './signing-keys/key-times.ts';

export interface IssueJwtDeps extends DatabaseDeps {
  readonly keyRing: KeyRing;
  /** The issuer; set if there are audiences. */
  readonly publicUrl: string;
  /** Services for which tokens are issued; none: the operator has not switched them on. */
  readonly jwtAudiences: readonly string[];
}

export interface JwtRequest {
  readonly caller: UserCaller;
  /** May be left out if there is one audience only. */
  readonly audience?: string | undefined;
  readonly includesAppMetadata: boolean;
}

/**
 * Returns a token with the claims of RFC 9068 section 2.2, of which a token of no application has no `client_id`. It
 * expires after five minutes, or with the access token if that is earlier. Times are whole seconds (RFC 7519 section 2).
 * @throws Problem forbidden, validation_failed
 */
export async function issueJwt(deps: IssueJwtDeps, request: JwtRequest) {
  const { clock, keyRing, publicUrl } = deps;
  const { application_id } = getCallerRecord(request.caller);
  const aud = chooseAudience(await listAudiences(deps, application_id), request.audience);
  const iat = Math.floor(clock() / 1000);
  const exp = Math.min(iat + JWT_LIFETIME_SECONDS, Math.floor(request.caller.tokenExpiresAt / 1000));
  const { id: kid, key } = await keyRing.getSigner('ES256');
  const { SignJWT } = await import('jose');
  const token = await new SignJWT({ iss: publicUrl, aud, iat, exp, jti: newId(), ...describeUser(request) })
    .setProtectedHeader({ alg: 'ES256', kid, typ: 'at+jwt' })
    .sign(key);
  return { token, token_type: 'Bearer', expires_in: exp - iat, expires_at: formatTimestamp(exp * 1000) };
}

/** Returns those for which a token of this application, or of none, gets a JSON Web Token. */
async function listAudiences({ database, jwtAudiences }: IssueJwtDeps, applicationId: string | null) {
  if (applicationId === null) return jwtAudiences;
  const permitted = JSON.parse((await findAudiences(database, applicationId))?.jwt_audiences ?? '[]');
  return jwtAudiences.filter((audience) => permitted.includes(audience));
}

function chooseAudience(audiences: readonly string[], requested: string | undefined): string {
  const [first, ...others] = audiences;
  if (first === undefined)
    throw new Problem('forbidden', {
      text: 'JSON Web Tokens are not switched on: JWT_AUDIENCES, or jwt_audiences of the application, are not set',
    });
  if (requested === undefined && others.length > 0)
    throw validationFailed({ audience: ['The audience field is required.'] });
  if (requested === undefined || audiences.includes(requested)) return requested ?? first;
  throw validationFailed({ audience: ['The selected audience is invalid.'] });
}

function describeUser({ caller, includesAppMetadata }: JwtRequest) {
  const { email, email_verified_at, level, app_metadata, application_id } = getCallerRecord(caller);
  return {
    sub: caller.userId,
    ...(application_id === null ? {} : { client_id: application_id }),
    scope: caller.scopes.join(' '),
    ...(email === null ? {} : { email }),
    email_verified: email_verified_at !== null,
    level,
    ...(includesAppMetadata ? { app_metadata: parseMetadata(app_metadata) } : {}),
  };
}

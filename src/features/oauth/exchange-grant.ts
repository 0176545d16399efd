/** Grants of the token endpoint. */
import type { ApplicationRow } from '../applications/application.ts';
import { OAuthError } from './error-responses.ts';
import { exchangeCode, exchangeDeviceCode } from './exchange-code.ts';
import type { GrantDeps, IssuedGrant } from './issue-grant.ts';
import { DEVICE_GRANT, GRANT_TYPES, type Parameters } from './parameters.ts';
import { refresh } from './refresh-tokens.ts';

/** The lengths of RFC 7636 section 4.1, but any visible characters: some clients use others. */
const VERIFIER = /^[!-~]{43,128}$/;

type Exchange = (deps: GrantDeps, application: ApplicationRow, values: Parameters) => Promise<IssuedGrant>;

const GRANTS: Readonly<Record<(typeof GRANT_TYPES)[number], Exchange>> = {
  authorization_code: useCode,
  refresh_token: useRefreshToken,
  [DEVICE_GRANT]: useDeviceCode,
};

/** @throws OAuthError invalid_request, invalid_grant, invalid_scope, unauthorized_client, unsupported_grant_type */
export function exchangeGrant(deps: GrantDeps, application: ApplicationRow, values: Parameters) {
  if (values.grant_type === undefined) throw new OAuthError('invalid_request', 'grant_type is required');
  const type = GRANT_TYPES.find((name) => name === values.grant_type);
  if (type === undefined)
    throw new OAuthError('unsupported_grant_type', `grant_type must be ${GRANT_TYPES.join(' or ')}`);
  return GRANTS[type](deps, application, values);
}

async function useCode(deps: GrantDeps, application: ApplicationRow, values: Parameters) {
  const { code, redirect_uri: redirectUri, code_verifier: verifier } = values;
  if (code === undefined || redirectUri === undefined)
    throw new OAuthError('invalid_request', 'code and redirect_uri are required');
  if (verifier !== undefined && !VERIFIER.test(verifier))
    throw new OAuthError('invalid_request', 'code_verifier must have 43 to 128 visible characters');
  const issued = await exchangeCode(deps, application, { code, redirectUri, verifier });
  if (issued !== null) return issued;
  throw new OAuthError(
    'invalid_grant',
    'The code is wrong, has expired, was used before or belongs to another redirect_uri or code_verifier',
  );
}

async function useDeviceCode(deps: GrantDeps, application: ApplicationRow, { device_code }: Parameters) {
  if (device_code === undefined) throw new OAuthError('invalid_request', 'device_code is required');
  return exchangeDeviceCode(deps, application, device_code);
}

async function useRefreshToken(deps: GrantDeps, application: ApplicationRow, values: Parameters) {
  const { refresh_token: token, scope } = values;
  if (application.refresh === 0)
    throw new OAuthError('unauthorized_client', 'The application has no refresh tokens');
  if (token === undefined) throw new OAuthError('invalid_request', 'refresh_token is required');
  const issued = await refresh(deps, application, { token, scope });
  if (issued !== null) return issued;
  throw new OAuthError(
    'invalid_grant',
    'The refresh token is wrong, has ended or was used before, or the person may not sign in any more',
  );
}

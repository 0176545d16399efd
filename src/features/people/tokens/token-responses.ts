/** Responses with tokens. */
import type { UserCaller } from '../../../callers/callers.ts';
import type { CreatedResponse } from '../../../idempotency/stored-response.ts';
import { formatTimes } from '../../../lib/time.ts';
import { getCallerRecord } from './find-token-caller.ts';
import type { IssuedToken } from './issue-token.ts';
import type { TokenRow } from './queries.ts';
import { readScopes } from './scopes.ts';

/** RFC 6749 section 5.1: responses with a token are not cached, also not by HTTP/1.0 caches. */
export const NOT_CACHED = { 'cache-control': 'no-store', pragma: 'no-cache' };

/** Returns a token as OAuth clients read it. */
export function tokenBody({ accessToken, expiresInSeconds }: IssuedToken) {
  return { access_token: accessToken, token_type: 'Bearer', expires_in: expiresInSeconds };
}

/** Returns the response with a new token and its record. */
export function newTokenResponse(
  issued: IssuedToken,
  caller: UserCaller,
  message: 'Token created' | 'Token rotated',
): CreatedResponse {
  const { record, tokenHash } = issued;
  return {
    status: 201,
    headers: { ...NOT_CACHED, location: `/api/v1/tokens/${record.id}` },
    body: { message, data: { ...tokenBody(issued), ...ownTokenView(record, caller) } },
    createdResources: { userId: caller.userId, tokenHash },
  };
}

/** Returns the record of a token as the API shows it to its user. */
export function ownTokenView(token: TokenRow, caller: UserCaller) {
  const { token_id, family_id } = getCallerRecord(caller);
  return { ...tokenView(token), current: [token_id, family_id].includes(token.id) };
}

/** Returns a token as the API shows it to its user and to the administrator. */
export function tokenView(token: TokenRow) {
  const times = formatTimes(token, ['created_at', 'last_used_at', 'expires_at']);
  return { ...times, scopes: readScopes(token.scopes) };
}

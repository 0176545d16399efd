/** Responses with tokens. */
import type { HandlerResponse, UserCaller } from '../../http/route.ts';
import { timestamp } from '../../lib/clock.ts';
import type { IssuedToken } from './issue-token.ts';
import type { TokenRow } from './queries.ts';

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
): HandlerResponse {
  const { record, tokenHash } = issued;
  return {
    status: 201,
    headers: { ...NOT_CACHED, location: `/api/v1/tokens/${record.id}` },
    body: { message, data: { ...tokenBody(issued), ...tokenView(record, caller) } },
    createdResources: { userId: caller.userId, tokenHash },
  };
}

/** Returns the record of a token as the API shows it. */
export function tokenView(token: TokenRow, caller: UserCaller) {
  return {
    id: token.id,
    name: token.name,
    first_characters: token.first_characters,
    scopes: token.scopes.split(' '),
    created_at: timestamp(token.created_at),
    last_used_at: token.last_used_at === null ? null : timestamp(token.last_used_at),
    expires_at: timestamp(token.expires_at),
    current: token.id === caller.tokenId,
  };
}

/** Errors of the endpoints for applications (RFC 6749 section 5.2). */
export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unsupported_grant_type'
  | 'unsupported_token_type';

export class OAuthError extends Error {
  override readonly name = 'OAuthError';
  readonly code: OAuthErrorCode;
  /** A client that has used the header gets the challenge for it (RFC 6749 section 5.2). */
  readonly status: 400 | 401;

  constructor(code: OAuthErrorCode, description: string) {
    super(description);
    this.code = code;
    this.status = code === 'invalid_client' ? 401 : 400;
  }
}

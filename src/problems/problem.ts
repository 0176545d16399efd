/** The catalogue of problems: code, status and text of every error response. docs/problems.md explains them. */
import { RECENT_SIGN_IN_MINUTES } from '../callers/admin-scopes.ts';
import type { Caller } from '../callers/callers.ts';

/** The shape of the body when the client did not ask for application/problem+json. */
type Rendering =
  /** `{error, code}` */
  | 'plain'
  /** `{error, code, message, errors}`: for clients that read `message`. */
  | 'message'
  /** `{statusCode, code, error, message}`: errors of the protocol itself. */
  | 'protocol';

interface CatalogueEntry {
  readonly status: number;
  readonly text: string;
  readonly rendering: Rendering;
}

const plain = (status: number, text: string): CatalogueEntry => ({ status, text, rendering: 'plain' });
const message = (status: number, text: string): CatalogueEntry => ({ status, text, rendering: 'message' });
const protocol = (status: number, text: string): CatalogueEntry => ({ status, text, rendering: 'protocol' });

export const catalogue = {
  invalid_payload: plain(400, 'Invalid request payload'),
  validation_failed: message(400, 'The given data was invalid.'),
  invalid_limit: plain(400, 'limit must be an integer between 1 and 100'),
  invalid_cursor: plain(400, 'cursor is invalid'),
  invalid_filter: plain(400, 'The filter is invalid'),
  invalid_path: plain(400, 'The request path is malformed'),
  malformed_request: plain(400, 'The request is malformed'),
  sign_in_failed: plain(400, 'The sign-in with the identity provider has failed'),
  idempotency_key_malformed: plain(400, 'Idempotency-Key is malformed'),
  unauthorized: plain(401, 'Unauthorized'),
  invalid_totp_code: plain(401, 'The code is wrong, has expired or was used before'),
  invalid_login: message(401, 'Invalid login details'),
  invalid_email_code: plain(401, 'The code is wrong, has expired or had too many tries'),
  invalid_passkey: plain(401, 'The passkey is not accepted'),
  challenge_expired: plain(401, 'The login has expired or had too many wrong codes: begin again'),
  forbidden: plain(403, 'Forbidden'),
  insufficient_scope: plain(403, 'Forbidden'),
  cross_site_request: plain(403, 'Requests from pages of other sites are not allowed'),
  console_request_rejected: plain(403, 'Only the console may send requests with its session'),
  role_required: plain(403, 'The user has no role in the administration of the service'),
  role_second_factor_required: plain(
    403,
    'Administrators have to sign in with a second factor: switch it on in your account, then sign in again',
  ),
  email_not_verified: message(403, 'The email has not been verified.'),
  second_factor_required: message(403, 'A code of the second factor is required'),
  passkeys_unavailable: plain(403, 'Passkeys cannot be used at this address'),
  recent_sign_in_required: plain(
    403,
    `This needs a sign-in within the last ${RECENT_SIGN_IN_MINUTES} minutes`,
  ),
  events_expired: plain(
    410,
    'Events after this cursor are not kept any more: read the current state of all users, then follow the events without a cursor',
  ),
  not_found: plain(404, 'Not Found'),
  user_not_found: plain(404, 'User not found'),
  session_not_found: plain(404, 'Session not found'),
  identity_provider_not_found: plain(404, 'Identity provider not found'),
  identity_not_found: plain(404, 'Identity not found'),
  passkey_not_found: plain(404, 'Passkey not found'),
  token_not_found: plain(404, 'Token not found'),
  webhook_not_found: plain(404, 'Webhook not found'),
  webhook_delivery_not_found: plain(404, 'Delivery not found'),
  mail_not_found: plain(404, 'Message not found'),
  form_not_found: plain(404, 'Form not found'),
  form_version_not_found: plain(404, 'Version not found'),
  submission_not_found: plain(404, 'Submission not found'),
  application_not_found: plain(404, 'Application not found'),
  group_not_found: plain(404, 'Group not found'),
  credential_not_found: plain(404, 'Credential not found'),
  link_not_found: plain(404, 'The link is invalid or has expired'),
  method_not_allowed: protocol(405, 'Method Not Allowed'),
  not_acceptable: protocol(406, 'Not Acceptable'),
  request_timeout: protocol(408, 'Request Timeout'),
  email_taken: message(409, 'The email has already been taken.'),
  too_many_tokens: plain(409, 'The user has the maximum number of tokens'),
  too_many_passkeys: plain(409, 'The user has the maximum number of passkeys'),
  too_many_identity_providers: plain(409, 'The service has the maximum number of identity providers'),
  last_way_in: plain(409, 'The user has no other way to sign in'),
  too_many_webhooks: plain(409, 'The service has the maximum number of webhooks'),
  webhook_disabled: plain(409, 'The webhook is disabled'),
  too_many_deliveries: plain(409, 'The webhook has the maximum number of pending deliveries'),
  backups_disabled: plain(409, 'The service makes no backups'),
  too_many_credentials: plain(409, 'The service has the maximum number of credentials'),
  too_many_applications: plain(409, 'The service has the maximum number of applications'),
  application_name_taken: message(409, 'The name has already been taken.'),
  too_many_groups: plain(409, 'The service has the maximum number of groups'),
  too_many_groups_of_user: plain(409, 'The user is in the maximum number of groups'),
  group_name_taken: message(409, 'The name has already been taken.'),
  application_without_secret: plain(409, 'A public application has no secret'),
  credential_name_taken: message(409, 'The name has already been taken.'),
  credential_expired: plain(409, 'The credential has expired'),
  totp_already_enabled: plain(409, 'Two-step sign-in is on'),
  totp_not_enabled: plain(409, 'Two-step sign-in is off'),
  duplicate_label: plain(409, 'Two fields have the same label'),
  field_type_changed: plain(409, 'A field has another type in a published version'),
  form_state_conflict: plain(409, 'The state of the form does not allow this'),
  form_not_open: plain(409, 'The form does not accept submissions yet'),
  form_closed: plain(409, 'The form does not accept submissions any more'),
  form_full: plain(409, 'The form has the maximum number of submissions'),
  already_submitted: plain(409, 'The user has submitted the form before'),
  token_already_rotated: plain(409, 'The token has been rotated'),
  mail_state_conflict: plain(409, 'The state of the message does not allow this'),
  last_owner: plain(409, 'The service has no other owner'),
  user_state_conflict: plain(409, 'The state of the user does not allow this'),
  setting_fixed: message(409, 'The environment fixes the setting'),
  version_conflict: plain(409, 'The record has changed since this version'),
  idempotency_key_in_use: plain(409, 'A request is outstanding for this Idempotency-Key'),
  precondition_failed: plain(412, 'The record has changed since this ETag'),
  payload_too_large: protocol(413, 'Payload Too Large'),
  unsupported_media_type: protocol(415, 'Unsupported Media Type'),
  idempotency_key_reused: plain(422, 'Idempotency-Key is already used'),
  precondition_required: plain(428, 'If-Match is required'),
  too_many_requests: plain(429, 'Too many requests'),
  rate_limited_anon: plain(429, 'Too many requests'),
  rate_limited_user: plain(429, 'Too many requests'),
  rate_limited_create: plain(429, 'Too many requests'),
  rate_limited_create_hour: plain(429, 'Too many requests'),
  rate_limited_create_day: plain(429, 'Too many requests'),
  rate_limited_register: plain(429, 'Too many requests'),
  rate_limited_register_hour: plain(429, 'Too many requests'),
  rate_limited_login: plain(429, 'Too many requests'),
  rate_limited_login_code: plain(429, 'Too many requests'),
  rate_limited_application: plain(429, 'Too many requests'),
  rate_limited_documents: plain(429, 'Too many requests'),
  rate_limited_admin_fail: plain(429, 'Too many requests'),
  rate_limited_password_reset: plain(429, 'Too many requests'),
  rate_limited_email_verification: plain(429, 'Too many requests'),
  rate_limited_token_create: plain(429, 'Too many requests'),
  rate_limited_write: plain(429, 'Too many requests'),
  rate_limited_verify: plain(429, 'Too many requests'),
  rate_limited_credential_write: plain(429, 'Too many requests'),
  rate_limited_credential_read: plain(429, 'Too many requests'),
  too_many_streams: plain(429, 'Too many streams are open'),
  rate_limited_submission: plain(429, 'Too many requests'),
  headers_too_large: protocol(431, 'Request Header Fields Too Large'),
  internal_error: plain(500, 'Internal Server Error'),
  unclaimed_users_full: plain(503, 'Too many unclaimed records are stored'),
  service_unavailable: plain(503, 'Service temporarily unavailable'),
} as const satisfies Record<string, CatalogueEntry>;

export type ProblemCode = keyof typeof catalogue;

/** One failed rule: a JSON pointer into the body (RFC 6901) and the public message. */
export interface ProblemDetail {
  readonly pointer: string;
  readonly detail: string;
}

export interface ProblemOptions {
  /** Replaces the catalogue's text in `error` (and `message`): for texts that name the member. */
  readonly text?: string;
  /** The member `errors` of the JSON body: messages by member, or a list of strings or of objects with `message`. */
  readonly errors?:
    | Readonly<Record<string, readonly string[]>>
    | readonly (string | { readonly message: string })[];
  /** The same failures with their pointers, for application/problem+json (RFC 9457 section 3). */
  readonly details?: readonly ProblemDetail[];
  readonly headers?: Readonly<Record<string, string>>;
  /** Seconds, sent as Retry-After (RFC 9110 section 10.2.3). */
  readonly retryAfterSeconds?: number;
  /** It is the outcome of the request, whose Idempotency-Key returns it again: a repeated request would not succeed. */
  readonly isOutcome?: boolean;
  /** The rest of the request cannot be read, so the connection is closed after the response. */
  readonly closesConnection?: boolean;
  /** A registered problem type (RFC 9457 section 4.2) instead of our documentation. */
  readonly type?: string;
  readonly members?: Readonly<Record<string, unknown>>;
  /** The scopes that the caller lacks, for the record of events. Default of the caller: that of the request. */
  readonly denied?: { readonly scopes: readonly string[]; readonly caller?: Caller | undefined };
  /** Why, in a word without values: logged, never sent. */
  readonly reason?: string;
  /** The underlying error: logged, never sent. */
  readonly cause?: unknown;
}

/** An error response: thrown by rules and use cases, sent by plugins/problems/error-response.ts. */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly status: number;
  readonly text: string;
  readonly rendering: Rendering;
  readonly options: ProblemOptions;

  constructor(code: ProblemCode, options: ProblemOptions = {}) {
    const entry: CatalogueEntry = catalogue[code];
    super(options.text ?? entry.text, { cause: options.cause });
    this.name = 'Problem';
    this.code = code;
    this.status = entry.status;
    this.text = options.text ?? entry.text;
    this.rendering = entry.rendering;
    this.options = options;
  }
}

/**
 * Frontdesk
 * 0.1.0
 * DO NOT MODIFY - This file has been generated using oazapfts.
 * See https://www.npmjs.com/package/oazapfts
 */
import * as Oazapfts from "@oazapfts/runtime";
export declare const defaults: Oazapfts.Defaults<Oazapfts.CustomHeaders>;
export declare const servers: {
    server1: string;
};
export type Health = {
    status: "pass" | "fail";
};
export type RegisterRequest = {
    /** Must not be blank. Surrounding white space is removed. */
    name: string;
    /** An address as the HTML element `<input type=email>` accepts it. */
    email: string;
    /** Must not be blank. At most 4096 bytes as UTF-8 in normalization form C. */
    password: string;
    /** Data of the application that the user may write. At most 4096 bytes of JSON, 8 levels deep, with integers up to 2^53 - 1. */
    user_metadata?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    /** Accepted and ignored, whatever its value. Only the administrator sets the level of a user. */
    level?: any;
    /** URL to which the page of the link leads afterwards, if the operator allows it. */
    redirect_to?: string;
};
export type RegisterResponse = {
    /** Shown once; only its hash is stored. */
    access_token: string;
    token_type: "Bearer";
    /** Seconds until the token expires. */
    expires_in: number;
    /** The same token again, for clients that read it here. */
    data: {
        /** Shown once; only its hash is stored. */
        access_token: string;
        token_type: "Bearer";
    };
};
export type ErrorCode = "invalid_payload" | "validation_failed" | "invalid_limit" | "invalid_cursor" | "invalid_filter" | "invalid_path" | "malformed_request" | "idempotency_key_malformed" | "unauthorized" | "totp_required" | "invalid_totp_code" | "invalid_login" | "forbidden" | "insufficient_scope" | "cross_site_request" | "console_request_rejected" | "credential_console_only" | "email_not_verified" | "gone" | "events_expired" | "not_found" | "user_not_found" | "token_not_found" | "webhook_not_found" | "webhook_delivery_not_found" | "mail_not_found" | "credential_not_found" | "link_not_found" | "method_not_allowed" | "not_acceptable" | "request_timeout" | "email_taken" | "too_many_tokens" | "too_many_webhooks" | "webhook_disabled" | "too_many_deliveries" | "too_many_credentials" | "credential_name_taken" | "credential_expired" | "totp_already_enabled" | "totp_not_enabled" | "token_already_rotated" | "mail_state_conflict" | "user_state_conflict" | "setting_fixed" | "version_conflict" | "idempotency_key_in_use" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "precondition_required" | "too_many_requests" | "rate_limited_anon" | "rate_limited_user" | "rate_limited_create" | "rate_limited_create_hour" | "rate_limited_create_day" | "rate_limited_register" | "rate_limited_register_hour" | "rate_limited_login" | "rate_limited_documents" | "rate_limited_admin_fail" | "rate_limited_password_reset" | "rate_limited_email_verification" | "rate_limited_token_create" | "rate_limited_write" | "rate_limited_verify" | "headers_too_large" | "internal_error" | "unclaimed_users_full" | "service_unavailable";
export type Error = {
    /** A text for people. Its wording may change. */
    error: string;
    code: ErrorCode;
    /** The same text as `error`. */
    message?: string;
    statusCode?: number;
    /** Messages by member of the body, or a list of messages. */
    errors?: {
        [key: string]: string[];
    } | string[];
};
export type LoginRequest = {
    /** Must not be blank. */
    email: string;
    /** Must not be blank. */
    password: string;
};
export type LoginResponse = {
    /** Shown once; only its hash is stored. */
    access_token: string;
    token_type: "Bearer";
    /** Seconds until the token expires. */
    expires_in: number;
};
export type ChangePasswordRequest = {
    /** Must not be blank. */
    current_password: string;
    /** Must not be blank. At most 4096 bytes as UTF-8 in normalization form C. */
    password: string;
};
export type Message = {
    message: string;
};
export type EmailRequest = {
    /** An address as the HTML element `<input type=email>` accepts it. */
    email: string;
    /** URL to which the page of the link leads afterwards, if the operator allows it. */
    redirect_to?: string;
};
export type ResetPasswordRequest = {
    /** Must not be blank. At most 4096 bytes as UTF-8 in normalization form C. */
    password: string;
};
export type User = {
    id: string;
    name: string | null;
    email: string | null;
    /** Set by the administrator; grants nothing inside this service. */
    level: string | null;
    state: "unclaimed" | "active" | "disabled";
    email_verified_at: string | null;
    /** A login does not change the version. */
    last_login_at: string | null;
    created_at: string;
    updated_at: string;
    /** The number in the ETag. */
    version: number;
    /** Data of the application that the user may write. */
    user_metadata: {
        [key: string]: any;
    };
    /** Data of the application that only the administrator may write. */
    app_metadata: {
        [key: string]: any;
    };
};
export type UserResponse = {
    message: string;
    data: User;
};
export type ChangeProfileRequest = {
    /** Must not be blank. Surrounding white space is removed. */
    name?: string;
    /** An address as the HTML element `<input type=email>` accepts it. */
    email?: string;
    /** Required for another email. */
    current_password?: string;
    /** Data of the application that the user may write. At most 4096 bytes of JSON, 8 levels deep, with integers up to 2^53 - 1. A JSON merge patch (RFC 7396): members that are null are removed, objects are merged. Null removes all. */
    user_metadata?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    /** URL to which the page of the link leads afterwards, if the operator allows it. */
    redirect_to?: string;
};
export type ChangeProfileResponse = {
    message: string;
    data: User;
    /** The address that has to be confirmed, if this request has asked for another one. */
    pending_email?: string;
};
export type EraseAccountRequest = {
    /** Must not be blank. */
    current_password: string;
};
export type UserToken = {
    id: string;
    name: string;
    /** The start of the token, to recognise it; null for tokens of earlier releases. */
    first_characters: string | null;
    scopes: string[];
    created_at: string;
    last_used_at: string | null;
    expires_at: string;
    /** The program that the token was created with, in a few words, such as `Firefox on Windows`. It says so itself: this proves nothing. */
    device: string | null;
    /** The network that the token was created from, as precise as `EVENTS_ADDRESS` says; null after 30 days. */
    network: string | null;
    /** The network of the last use, in the same way; null after 30 days without use. */
    last_used_network: string | null;
};
export type SecurityEvent = {
    id: string;
    /** More kinds may be added. */
    kind: "registered" | "created" | "logged_in" | "logged_in_from_new_network" | "logged_out" | "password_changed" | "password_reset" | "password_reset_requested" | "email_change_requested" | "email_changed" | "email_verified" | "claimed" | "token_created" | "token_rotated" | "token_revoked" | "tokens_revoked" | "disabled" | "enabled";
    /** The user, the administrator, or somebody who was not identified. */
    actor: "user" | "administrator" | "anonymous";
    created_at: string;
    /** More than 1 for logins and changes of tokens that were counted. */
    occurrences: number;
    /** The last time; null if it happened once. */
    last_at: string | null;
};
export type EventType = "user.created" | "user.updated" | "user.disabled" | "user.enabled" | "user.claimed" | "user.erased" | "users.exported" | "events.exported" | "login.succeeded" | "login.failed" | "token.created" | "token.rotated" | "token.revoked" | "password.changed" | "password.reset" | "email.change_requested" | "email.changed" | "email.verified" | "link.requested" | "link.sent" | "mail.retried" | "mail.cancelled" | "session.opened" | "session.closed" | "webhook.created" | "webhook.updated" | "webhook.disabled" | "webhook.secret_rotated" | "webhook.tested" | "webhook.delivery_retried" | "webhook.replayed" | "webhook.deleted" | "admin_token.rotated" | "secret_key.accepted" | "statistics.recomputed" | "settings.changed" | "signing_key.rotated" | "credential.created" | "credential.rotated" | "credential.totp_enabled" | "credential.totp_disabled" | "credential.totp_failed" | "credential.recovery_code_used" | "credential.recovery_codes_replaced" | "credential.revoked";
export type OwnEvent = {
    id: string;
    "type": EventType;
    time: string;
    /** `user:` or `webhook:` and an id, or another name. */
    subject: string | null;
    /** Number among the events of the subject, beginning with 1; null without a subject. */
    sequence: number | null;
    /** The cause of the event. `system` is the service itself. */
    actor: {
        "type": "anonymous" | "user" | "administrator" | "system";
        /** Id of the user or of the credential; null for others, and for `ADMIN_TOKEN`. */
        id: string | null;
        /** Name of the administrator's credential, null for others. */
        name: string | null;
    };
    outcome: "success" | "failure";
    reason: string | null;
    /** Members that were changed. Values of `state`, `level`, `enabled` and settings only. */
    changes: {
        name: string;
        "from"?: string | number | boolean | null;
        to?: string | number | boolean | null;
    }[];
    details: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    /** Network of the client, or its whole address if the operator keeps it. */
    address: string | null;
    /** Program of the client, as it describes itself. It proves nothing. */
    device: string | null;
    /** More than 1 for an event that counts the rest of an hour. */
    occurrences: number;
};
export type ExportAccountResponse = {
    exported_at: string;
    user: User & {
        /** Its hash is not exported. */
        has_password: boolean;
    };
    /** Newest first; only hashes of them are stored. */
    tokens: UserToken[];
    /** Events in the form of earlier releases, newest first. */
    security_events: SecurityEvent[];
    /** The last 1,000, newest first. */
    events: OwnEvent[];
    /** Days in UTC on which a token was used, within 90 days. */
    active_days: string[];
    /** Encrypted responses to requests with an Idempotency-Key. */
    stored_responses: {
        route: string;
        expires_at: string;
    }[];
    /** The first and last login from each network; only keyed hashes of the networks are stored. */
    known_networks: {
        /** Null if an earlier release has stored the login. */
        first_login_at: string | null;
        last_login_at: string;
    }[];
    /** Emails that wait to be sent. */
    pending_messages: {
        kind: "verify_email" | "change_email" | "reset_password" | "claim_account" | "password_changed" | "email_change_requested" | "email_changed" | "new_network" | "webhook_disabled";
        /** The address that it will be sent to. */
        email: string;
        created_at: string;
        expires_at: string;
        /** The address that it is about, in a notice of a change. */
        new_email: string | null;
    }[];
    /** Emails of the last 30 days that were sent or were not to be sent, without their texts. */
    messages: {
        kind: "verify_email" | "change_email" | "reset_password" | "claim_account" | "password_changed" | "email_change_requested" | "email_changed" | "new_network" | "webhook_disabled";
        /** The address of the recipient. */
        email: string;
        state: "sent" | "failed" | "dropped" | "cancelled";
        created_at: string;
        ended_at: string;
    }[];
    /** Links in sent emails. */
    pending_links: {
        kind: "verify_email" | "change_email" | "reset_password" | "claim_account";
        /** The address that it was sent to. */
        email: string;
        created_at: string;
        expires_at: string;
    }[];
};
export type LogoutRequest = {
    /** The tokens to revoke: that of this request, all others of the user, or both. */
    scope?: "current" | "others" | "all";
};
export type CreateTokenRequest = {
    /** Must not be blank. Surrounding white space is removed. */
    name: string;
    /** At most those of the token of this request, which are the default. */
    scopes?: ("self:read" | "self:write" | "tokens:manage")[];
    /** Seconds until the token expires. The default is that of a login, but at most 365 days. */
    expires_in?: number;
};
export type Token = UserToken & {
    /** Whether it is the token of this request. */
    current: boolean;
};
export type NewToken = Token & {
    /** Shown once; only its hash is stored. */
    access_token: string;
    token_type: "Bearer";
    /** Seconds until the token expires. */
    expires_in: number;
};
export type NewTokenResponse = {
    message: string;
    data: NewToken;
};
export type TokenList = {
    message: string;
    data: Token[];
};
export type RevokeOtherTokensResponse = {
    message: string;
    data: {
        /** Number of tokens that were valid. */
        revoked: number;
    };
};
export type RotateTokenRequest = {
    /** Seconds for which the replaced token stays valid, unless it expires earlier. 0 revokes it at once. */
    overlap?: number;
};
export type TokenResponse = {
    message: string;
    data: Token;
};
export type VerifyTokensRequest = {
    /** A token. Either this member or `tokens` is required. */
    token?: string;
    /** Several tokens. */
    tokens?: string[];
    /** Further members to return of each valid token. */
    include?: ("level" | "state" | "email_verified" | "user_metadata" | "app_metadata")[];
};
export type VerifiedToken = {
    /** Whether the token is valid. If not, there is no other member. */
    active: boolean;
    /** Id of the user. */
    sub?: string;
    /** Email of the user, if there is one. */
    username?: string;
    /** The scopes, separated by spaces. */
    scope?: string;
    token_type?: "Bearer";
    /** Time of the expiry in seconds since 1970. */
    exp?: number;
    /** Time of the creation in seconds since 1970. */
    iat?: number;
    /** On request by `include`. */
    level?: string | null;
    /** On request by `include`. */
    state?: "unclaimed" | "active" | "disabled";
    /** On request by `include`. */
    email_verified?: boolean;
    /** On request by `include`. */
    user_metadata?: {
        [key: string]: any;
    };
    /** On request by `include`. */
    app_metadata?: {
        [key: string]: any;
    };
};
export type VerifiedTokenList = {
    message: string;
    /** The results in the order of `tokens`. */
    data: VerifiedToken[];
};
export type IssueJwtRequest = {
    /** The service that will verify the token: one of `JWT_AUDIENCES`. Required if there are several. */
    audience?: string;
    /** Whether the token has the claim `app_metadata`. */
    app_metadata?: boolean;
};
export type JsonWebToken = {
    /** A JWS in compact serialisation (RFC 7515). */
    token: string;
    token_type: "Bearer";
    /** Seconds until the token expires, at most 300. */
    expires_in: number;
    expires_at: string;
};
export type PublicKey = {
    kty: "EC";
    crv: "P-256";
    x: string;
    y: string;
    /** The `kid` of the tokens that it verifies. */
    kid: string;
    use: "sig";
    alg: "ES256";
};
export type KeySet = {
    keys: PublicKey[];
};
export type UserPage = {
    message: string;
    data: User[];
    next_cursor: string | null;
};
export type UserList = {
    message: string;
    data: User[];
};
export type CreateUserRequest = {
    /** Surrounding white space is removed. */
    name?: string;
    /** An address as the HTML element `<input type=email>` accepts it. */
    email?: string;
    /** Read with the administrator credential only. Must not be blank. At most 4096 bytes as UTF-8 in normalization form C. */
    password?: string;
    /** Read with the administrator credential only. */
    level?: string | null;
    /** Read with the administrator credential only. Data of the application that the user may write. At most 4096 bytes of JSON, 8 levels deep, with integers up to 2^53 - 1. */
    user_metadata?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    /** Read with the administrator credential only. Data of the application that only the administrator may write. At most 4096 bytes of JSON, 8 levels deep, with integers up to 2^53 - 1. */
    app_metadata?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
};
export type CreateUserResponse = {
    message: string;
    data: User | {
        id: string;
    };
};
export type GetUserResponse = {
    message: string;
    data?: User;
};
export type UpdateUserRequest = {
    /** Must not be blank. Surrounding white space is removed. */
    name?: string;
    /** An address as the HTML element `<input type=email>` accepts it. */
    email?: string;
    level?: string | null;
    state?: "active" | "disabled";
    /** Data of the application that the user may write. At most 4096 bytes of JSON, 8 levels deep, with integers up to 2^53 - 1. A JSON merge patch (RFC 7396): members that are null are removed, objects are merged. Null removes all. */
    user_metadata?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    /** Data of the application that only the administrator may write. At most 4096 bytes of JSON, 8 levels deep, with integers up to 2^53 - 1. A JSON merge patch (RFC 7396): members that are null are removed, objects are merged. Null removes all. */
    app_metadata?: {
        [key: string]: any;
    } | {
        [key: string]: any;
    };
    /** The version that the change is based on: 409 unless it is the current one. */
    version?: number;
};
export type BatchUsersRequest = {
    /** At most 100 of them may create a user with a password. */
    operations: {
        /** Decides which of the other members are required and allowed. */
        action: "create" | "update" | "disable";
        /** With `create`: the body of the request to create a user. */
        user?: {
            [key: string]: any;
        };
        /** With `update` and `disable`: the id of the user. */
        id?: string;
        /** With `update`: the body of the request to update a user, without `version`. */
        changes?: {
            [key: string]: any;
        };
        /** With `update` and `disable`: the version that the change is based on, 409 unless it is the current one. Without it, any version is changed. */
        version?: number;
    }[];
};
export type BatchUsersResponse = {
    message: string;
    /** Number of operations with an error. */
    failed: number;
    /** The results in the order of the operations. */
    data: {
        /** Position of the operation, from 0. */
        index: number;
        /** The status that the single request would have. */
        status: number;
        data?: {
            id: string;
            version: number;
        };
        error?: string;
        /** Code of the problem, as in error responses. */
        code?: string;
        /** Messages by member of the user or the changes, if the problem has any. */
        errors?: {
            [key: string]: string[];
        };
    }[];
};
export type UserTokenList = {
    message: string;
    data: UserToken[];
};
export type SetUserPasswordRequest = {
    /** Must not be blank. At most 4096 bytes as UTF-8 in normalization form C. */
    password: string;
};
export type SendLinkRequest = {
    kind: "claim_account" | "reset_password" | "verify_email";
    /** URL to which the page of the link leads afterwards, if the operator allows it. */
    redirect_to?: string;
};
export type SecurityEventList = {
    message: string;
    data: SecurityEvent[];
};
export type UserSecurityEvent = SecurityEvent & {
    /** The user as they are now. */
    user: {
        id: string;
        email: string | null;
        name: string | null;
    };
};
export type UserSecurityEventList = {
    message: string;
    data: UserSecurityEvent[];
};
export type Event = OwnEvent & {
    /** The first of several occurrences. */
    first_at: string | null;
    /** The last of several occurrences. */
    last_at: string | null;
    request_id: string | null;
    /** The user that it is about as they are now; null if they are erased. */
    user: {
        id: string;
        email: string | null;
        name: string | null;
    } | null;
};
export type EventPage = {
    message: string;
    data: Event[];
    next_cursor: string | null;
};
export type OwnEventPage = {
    message: string;
    data: OwnEvent[];
    next_cursor: string | null;
};
export type CreateWebhookRequest = {
    /** Where events are sent to: an https URL that leads to a public address, without user and fragment. The operator may allow further networks, also by http. */
    url: string;
    /** Types of the events that are delivered; null for all, also those of later releases. */
    types?: EventType[] | null;
    /** For people. Surrounding white space is removed. */
    description?: string | null;
    /** Whether events are delivered. */
    enabled?: boolean;
};
export type Webhook = {
    id: string;
    /** In its normal form. */
    url: string;
    /** Types of the events that are delivered; null for all, also those of later releases. */
    types: string[] | null;
    description: string | null;
    enabled: boolean;
    /** Why nothing is delivered: `administrator` (by a request), `gone` (the receiver responded with 410) or `failing` (for days); null if the webhook is enabled. */
    disabled_reason: ("administrator" | "gone" | "failing" | null) | ("administrator" | "gone" | "failing" | null);
    /** The first of the failures without a success since; null without one. */
    failing_since: string | null;
    /** Until then, deliveries are also signed with the secret before the last rotation. */
    previous_secret_until: string | null;
    created_at: string;
    updated_at: string;
    /** The number in the ETag. */
    version: number;
};
export type NewWebhook = Webhook & {
    /** The secret of the signatures, as Standard Webhooks write it. Shown once; stored encrypted. */
    secret: string;
};
export type NewWebhookResponse = {
    message: string;
    data: NewWebhook;
};
export type WebhookList = {
    message: string;
    data: Webhook[];
};
export type WebhookResponse = {
    message: string;
    data: Webhook;
};
export type UpdateWebhookRequest = {
    /** Where events are sent to: an https URL that leads to a public address, without user and fragment. The operator may allow further networks, also by http. */
    url?: string;
    /** Types of the events that are delivered; null for all, also those of later releases. */
    types?: EventType[] | null;
    /** For people. Surrounding white space is removed. */
    description?: string | null;
    /** Whether events are delivered. A webhook that is enabled again has no failures and no `disabled_reason`. */
    enabled?: boolean;
};
export type WebhookDelivery = {
    id: string;
    /** The header `webhook-id` of each attempt. */
    event_id: string;
    /** Type of the event; `webhook.test` for a test. */
    "type": string;
    subject: string | null;
    sequence: number | null;
    /** Time of the event. */
    occurred_at: string;
    /** `pending` (not yet delivered), `delivered`, or `failed` (after all attempts, or because it has expired). */
    state: "pending" | "delivered" | "failed";
    created_at: string;
    finished_at: string | null;
    /** Null when it is finished. */
    next_attempt_at: string | null;
    /** Oldest first. */
    attempts: {
        attempt: number;
        at: string;
        duration_ms: number;
        /** Status of the response; null if there was none. */
        status: number | null;
        /** Why there was no complete response; null if there was one. */
        error: ("timeout" | "dns" | "address_not_allowed" | "refused" | "unreachable" | "reset" | "tls" | "redirect" | "too_large" | "invalid_response" | "aborted" | "failed" | "secret_unreadable" | null) | ("timeout" | "dns" | "address_not_allowed" | "refused" | "unreachable" | "reset" | "tls" | "redirect" | "too_large" | "invalid_response" | "aborted" | "failed" | "secret_unreadable" | null);
        /** The first line of the response, at most 200 characters. */
        line: string | null;
    }[];
};
export type WebhookDeliveryPage = {
    message: string;
    data: WebhookDelivery[];
    next_cursor: string | null;
};
export type TestWebhookResponse = {
    message: string;
    data: {
        delivery_id: string;
    };
};
export type WebhookDeliveryResponse = {
    message: string;
    data: WebhookDelivery;
};
export type ReplayWebhookRequest = {
    /** Time (RFC 3339) from which on all events are delivered. */
    since?: string;
    /** Beginning of a span, with `to`. */
    "from"?: string;
    /** End of the span; events of this moment are not part of it. */
    to?: string;
    /** Single events, of any type. */
    event_ids?: string[];
};
export type ReplayWebhookResponse = {
    message: string;
    data: {
        /** The number of deliveries that follow. */
        events: number;
    };
};
export type Mail = {
    id: string;
    kind: "verify_email" | "change_email" | "reset_password" | "claim_account" | "password_changed" | "email_change_requested" | "email_changed" | "new_network" | "webhook_disabled";
    /** The user of the message; null for one to the operator, and for one that anybody has requested for an address, until it is sent. */
    user_id: string | null;
    /** Its address. */
    recipient: string;
    subject: string;
    /** `waiting` (for its first or next attempt), `sending`, `sent` (accepted by the mail server, or logged), `failed`, `dropped` (was not to be sent) or `cancelled` (by the administrator). */
    state: "waiting" | "sending" | "sent" | "failed" | "dropped" | "cancelled";
    /** Why it was not sent: `rejected` by the mail server for good, `expired` before an attempt succeeded, `not_needed` because its reason was gone, or over the `limit` of its recipient. Null in other states. */
    reason: ("rejected" | "expired" | "not_needed" | "limit" | null) | ("rejected" | "expired" | "not_needed" | "limit" | null);
    /** Attempts that have begun. */
    attempts: number;
    /** Why the last attempt has failed: the command of SMTP and the codes of the response, or the error of the connection. Never the text of the server, which may contain an address. */
    last_error: string | null;
    created_at: string;
    /** Null unless it is in the queue. */
    next_attempt_at: string | null;
    /** When it is given up; null unless it is in the queue. */
    expires_at: string | null;
    /** Null while it is in the queue. */
    ended_at: string | null;
};
export type MailPage = {
    message: string;
    data: Mail[];
    next_cursor: string | null;
};
export type GetMailResponse = {
    message: string;
    data: Mail & {
        /** The plain text: in the queue as it would be sent now, without the token of the link, which does not exist before. Null afterwards, because texts are not kept, except for a day with `MAIL_TO_LOG`. */
        text: string | null;
        /** The link of a message that was logged instead of sent (`MAIL_TO_LOG`); otherwise null. */
        link: string | null;
    };
};
export type MailResponse = {
    message: string;
    data: Mail;
};
export type CreateCredentialRequest = {
    /** Names the actor in events. No two credentials have names that differ only by case, accents or spaces. Surrounding white space is removed. */
    name: string;
    /** What it permits. `users:read`: See users, their tokens, messages to them and the figures of the dashboard, and export users. `users:write`: Create, change, disable and delete users, and set their passwords. `tokens:verify`: Ask whether the token of a user is valid, and whose it is. `tokens:write`: Revoke tokens of users. `links:send`: Send users links to verify their email, to reset their password or to claim their account; send messages again or cancel them. `events:read`: Read the record of all events. `webhooks:write`: See, create, change and delete webhooks, and deliver events again. `settings:read`: See the status, the settings and the checks of the service. `settings:write`: Change the settings that can change while the service runs. `clients:forward`: Forward the address of a client, so that limits count the requests of this client. `admin`: Everything, credentials included. */
    scopes: ("users:read" | "users:write" | "tokens:verify" | "tokens:write" | "links:send" | "events:read" | "webhooks:write" | "settings:read" | "settings:write" | "clients:forward" | "admin")[];
    /** A time in the future (RFC 3339); null: it does not expire. */
    expires_at?: string | null;
    /** Addresses, and networks in CIDR notation, from which it is accepted; null: all. */
    networks?: string[] | null;
};
export type Credential = {
    id: string;
    name: string;
    scopes: string[];
    /** Networks from which it is accepted, in CIDR notation; null for all. */
    networks: string[] | null;
    /** The start of the credential, to recognise it. */
    first_characters: string;
    created_at: string;
    /** Null: it does not expire. */
    expires_at: string | null;
    /** Accurate to a minute; null before the first use. */
    last_used_at: string | null;
    /** Time of the last rotation. */
    rotated_at: string | null;
    /** Until then, the secret before the last rotation is accepted, too. */
    previous_until: string | null;
    /** Since when its sign-in to the console demands a code, too; null: it does not. From then on the console alone accepts it. */
    totp_enabled_at: string | null;
    /** Whether it is the credential of this request. */
    current: boolean;
};
export type NewCredential = Credential & {
    /** The credential itself: send it as a bearer token. Shown once; only its hash is stored. */
    credential: string;
};
export type NewCredentialResponse = {
    message: string;
    data: NewCredential;
};
export type CredentialList = {
    message: string;
    data: Credential[];
};
export type RotateCredentialRequest = {
    /** Seconds for which the replaced secret stays valid. 0 ends its validity at once. */
    overlap?: number;
};
export type CredentialResponse = {
    message: string;
    data: Credential;
};
export type PeriodCount = {
    count: number;
    /** Count of the preceding period of the same length. */
    previous: number;
    /** count − previous */
    change: number;
};
export type DailyCount = {
    date: string;
    count: number;
};
export type GetDashboardResponse = {
    message: string;
    data: {
        /** When the figures were computed. */
        generated_at: string;
        users: {
            total: number;
            by_state: {
                unclaimed: number;
                active: number;
                disabled: number;
            };
        };
        /** Users created in the UTC days up to and including today. */
        new_users: {
            today: PeriodCount;
            last_7_days: PeriodCount;
            last_30_days: PeriodCount;
        };
        /** Users who logged in or used a token in these days. */
        active_users: {
            today: number;
            last_7_days: number;
            last_30_days: number;
        };
        /** Active users of the preceding periods of the same length: yesterday, and so on. */
        previous_active_users: {
            today: number;
            last_7_days: number;
            last_30_days: number;
        };
        /** The last 30 UTC days, oldest first, including days with zero. */
        sign_ups_by_day: DailyCount[];
        /** The last 30 UTC days, oldest first, including days with zero. */
        active_users_by_day: DailyCount[];
        live_tokens: number;
        failed_logins_24h: number;
        /** Failed logins of the 24 hours before. */
        previous_failed_logins_24h: number;
        /** The figures of periods that include today, compared with equal periods: today until now with yesterday until the same time of day. Those of active users end at the last full minute. */
        equal_spans: {
            new_users: {
                /** End of the periods of `count`. Those of `previous` end at the same time of an earlier UTC day. */
                until: string;
                today: {
                    /** Null if an earlier release has recorded activity of the last day without its time. */
                    count: number | null;
                    /** Count of the preceding period of the same length, until the same time of its last day; null like `count`. */
                    previous: number | null;
                };
                last_7_days: {
                    /** Null if an earlier release has recorded activity of the last day without its time. */
                    count: number | null;
                    /** Count of the preceding period of the same length, until the same time of its last day; null like `count`. */
                    previous: number | null;
                };
                last_30_days: {
                    /** Null if an earlier release has recorded activity of the last day without its time. */
                    count: number | null;
                    /** Count of the preceding period of the same length, until the same time of its last day; null like `count`. */
                    previous: number | null;
                };
            };
            active_users: {
                /** End of the periods of `count`. Those of `previous` end at the same time of an earlier UTC day. */
                until: string;
                today: {
                    /** Null if an earlier release has recorded activity of the last day without its time. */
                    count: number | null;
                    /** Count of the preceding period of the same length, until the same time of its last day; null like `count`. */
                    previous: number | null;
                };
                last_7_days: {
                    /** Null if an earlier release has recorded activity of the last day without its time. */
                    count: number | null;
                    /** Count of the preceding period of the same length, until the same time of its last day; null like `count`. */
                    previous: number | null;
                };
                last_30_days: {
                    /** Null if an earlier release has recorded activity of the last day without its time. */
                    count: number | null;
                    /** Count of the preceding period of the same length, until the same time of its last day; null like `count`. */
                    previous: number | null;
                };
            };
        };
    };
};
export type GetStatusResponse = {
    message: string;
    data: {
        /** Time of this status by the clock of the database. */
        generated_at: string;
        /** Release of the service. */
        version: string;
        /** Release of Node that runs it. */
        node_version: string;
        started_at: string;
        uptime_seconds: number;
        /** Memory that the process occupies (resident set size). */
        memory_bytes: number;
        database: {
            engine: "sqlite" | "postgresql";
            /** A file, or host and name of the database. */
            location: string;
        };
        mail: {
            /** How messages leave the service; `off`: they wait in the database. */
            delivery: "smtp" | "log" | "off";
            /** Messages that were not sent yet, up to 1000. */
            waiting: number;
            /** Those of them of which at least one attempt has failed. */
            failed: number;
            /** Whether more than 1000 wait: then `failed` counts those that expire first. */
            has_more: boolean;
            /** Messages that were not sent since the database was set up, because their recipient had got enough or too many anonymous requests waited. */
            dropped: number;
        };
    };
};
export type Setting = {
    /** Name of the environment variable. */
    name: string;
    /** What applies. Null if nothing does, and of secrets; passwords in URLs are masked, and an image is described in words. */
    value: string | null;
    /** `environment` wins over `database`, where changes are stored, and that over `default`. */
    source: "environment" | "default" | "database";
    /** What applies if nothing is set. */
    "default": string | null;
    /** Whether the value is, or may contain, a secret. */
    is_secret: boolean;
    /** Whether there is a value, also if it is not shown. */
    is_set: boolean;
    /** Whether it can change while the service runs, unless the environment fixes it. */
    is_changeable: boolean;
    /** Which values it can have, for forms; null if it cannot change while the service runs. */
    format: {
        /** A `quota` is `requests/seconds`; an `image` a data URL. More may be added. */
        kind: "text" | "url" | "image" | "choice" | "switch" | "integer" | "quota";
        /** All values of a `choice`; of a `switch`, that for on and that for off. */
        choices: string[] | null;
        /** Least value of an `integer`, and of both numbers of a `quota`. */
        minimum: number | null;
        maximum: number | null;
        /** What an `integer` counts, such as `days`. */
        unit: string | null;
        /** Whether `off` is a value, too: no limit. */
        can_be_off: boolean;
    } | null;
    /** Subject. More may be added. */
    group: "instance" | "registration" | "logins" | "mail" | "events" | "limits" | "network" | "operation";
    /** What it is for, in one line. */
    meaning: string;
    /** Path of the document and section about it. */
    docs: string;
};
export type Settings = {
    settings: Setting[];
    /** The rate limits in force. */
    limits: {
        /** More names may be added. */
        name: "anon" | "user" | "create" | "create-hour" | "create-day" | "register" | "register-hour" | "login" | "login-fail" | "login-account" | "admin-fail" | "documents" | "password-reset" | "email-verification" | "token-create" | "write" | "verify";
        /** Null while the limit is off. */
        quota: number | null;
        window_seconds: number | null;
    }[];
};
export type SettingsResponse = {
    message: string;
    data: Settings;
};
export type UpdateSettingsRequest = {
    INSTANCE_NAME?: string | null;
    INSTANCE_LOGO?: string | null;
    APP_URL?: string | null;
    RATE_LIMITS?: string | null;
    REGISTRATION?: string | null;
    USERS_CREATE?: string | null;
    MAX_UNCLAIMED_USERS?: string | null;
    UNCLAIMED_USERS_DAYS?: string | null;
    EVENTS_DAYS?: string | null;
    EVENTS_ADDRESS?: string | null;
    TOKEN_LIFETIME_DAYS?: string | null;
    REQUIRE_VERIFIED_EMAIL?: string | null;
    RATE_LIMIT_ANON?: string | null;
    RATE_LIMIT_USER?: string | null;
    RATE_LIMIT_CREATE?: string | null;
    RATE_LIMIT_CREATE_HOUR?: string | null;
    RATE_LIMIT_CREATE_DAY?: string | null;
    RATE_LIMIT_REGISTER?: string | null;
    RATE_LIMIT_REGISTER_HOUR?: string | null;
    RATE_LIMIT_LOGIN?: string | null;
    RATE_LIMIT_LOGIN_FAIL?: string | null;
    RATE_LIMIT_LOGIN_ACCOUNT?: string | null;
    RATE_LIMIT_ADMIN_FAIL?: string | null;
    RATE_LIMIT_DOCUMENTS?: string | null;
    RATE_LIMIT_PASSWORD_RESET?: string | null;
    RATE_LIMIT_EMAIL_VERIFICATION?: string | null;
    RATE_LIMIT_TOKEN_CREATE?: string | null;
    RATE_LIMIT_WRITE?: string | null;
    RATE_LIMIT_VERIFY?: string | null;
};
export type ListChecksResponse = {
    message: string;
    data: {
        /** When the checks ended. */
        generated_at: string;
        checks: {
            /** What was checked. A check may have several findings. */
            check: string;
            status: "ok" | "warning" | "error" | "skipped";
            /** What is the case and, unless it is fine, what to do. */
            message: string;
        }[];
    };
};
export type ValidateFormFieldsRequest = {
    fields: {
        label: string;
        "type": "text" | "number" | "email" | "date" | "checkbox";
        is_required: boolean;
    }[];
};
export type ValidateFormFieldsResponse = {
    errors: string[];
};
export type EventMessage = {
    "type": EventType;
    /** Time of the event. */
    timestamp: string;
    data: {
        id: string;
        /** `user:` or `webhook:` and an id, or another name. */
        subject: string | null;
        /** Number among the events of the subject, beginning with 1; null without a subject. */
        sequence: number | null;
    };
};
export type Problem = {
    "type": string;
    title: string;
    status: number;
    detail: string;
    instance?: string;
    code: ErrorCode;
    error: string;
    errors?: {
        detail: string;
        /** JSON pointer into the request body. */
        pointer: string;
    }[];
};
/**
 * Check that the process is running
 */
export declare function getLiveness(opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 200;
    data: Health;
} | {
    status: 503;
    data: Health;
}>>;
/**
 * Check that requests can be served: the database is reachable and the process is not stopping
 */
export declare function getReadiness(opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 200;
    data: Health;
} | {
    status: 503;
    data: Health;
}>>;
/**
 * Same as /readyz
 */
export declare function getHealth(opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 200;
    data: Health;
} | {
    status: 503;
    data: Health;
}>>;
/**
 * Register
 */
export declare function register(registerRequest: RegisterRequest, { idempotencyKey }?: {
    idempotencyKey?: string;
}, opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 201;
    data: RegisterResponse;
} | {
    status: 400;
    data: Error;
} | {
    status: 403;
    data: Error;
} | {
    status: 409;
    data: Error;
} | {
    status: 422;
    data: Error;
} | {
    status: 429;
    data: Error;
}>>;
/**
 * Log in
 */
export declare function login(loginRequest: LoginRequest, opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 200;
    data: LoginResponse;
} | {
    status: 400;
    data: Error;
} | {
    status: 401;
    data: Error;
} | {
    status: 403;
    data: Error;
} | {
    status: 429;
    data: Error;
}>>;
/**
 * Change the password
 */
export declare function changePassword(changePasswordRequest: ChangePasswordRequest, opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 200;
    data: Message;
} | {
    status: 400;
    data: Error;
} | {
    status: 401;
    data: Error;
} | {
    status: 403;
    data: Error;
} | {
    status: 429;
    data: Error;
}>>;
/**
 * Request a link to set a new password
 */
export declare function requestPasswordReset(emailRequest: EmailRequest, opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 202;
    data: Message;
} | {
    status: 400;
    data: Error;
} | {
    status: 429;
    data: Error;
}>>;
/**
 * Set a password by a link
 */
export declare function resetPassword(token: string, resetPasswordRequest: ResetPasswordRequest, opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 200;
    data: Message;
} | {
    status: 400;
    data: Error;
} | {
    status: 404;
    data: Error;
} | {
    status: 429;
    data: Error;
}>>;
/**
 * Get the current user
 */
export declare function getCurrentUser(opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 200;
    data: UserResponse;
} | {
    status: 401;
    data: Error;
} | {
    status: 403;
    data: Error;
} | {
    status: 429;
    data: Error;
}>>;
/**
 * Change the current user
 */
export declare function changeProfile(changeProfileRequest: ChangeProfileRequest, { ifMatch }?: {
    ifMatch?: string;
}, opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 200;
    data: ChangeProfileResponse;
} | {
    status: 400;
    data: Error;
} | {
    status: 401;
    data: Error;
} | {
    status: 403;
    data: Error;
} | {
    status: 412;
    data: Error;
} | {
    status: 429;
    data: Error;
}>>;
/**
 * Delete the current user
 */
export declare function eraseAccount(eraseAccountRequest: EraseAccountRequest, opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 204;
} | {
    status: 400;
    data: Error;
} | {
    status: 401;
    data: Error;
} | {
    status: 403;
    data: Error;
} | {
    status: 429;
    data: Error;
}>>;
/**
 * Export the data of the current user
 */
export declare function exportAccount(opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 200;
    data: ExportAccountResponse;
} | {
    status: 401;
    data: Error;
} | {
    status: 403;
    data: Error;
} | {
    status: 429;
    data: Error;
}>>;
/**
 * Request another link to verify an email
 */
export declare function requestEmailVerification(emailRequest: EmailRequest, opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 202;
    data: Message;
} | {
    status: 400;
    data: Error;
} | {
    status: 429;
    data: Error;
}>>;
/**
 * Confirm an email by a link
 */
export declare function confirmEmail(token: string, opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 200;
    data: Message;
} | {
    status: 400;
    data: Error;
} | {
    status: 404;
    data: Error;
} | {
    status: 409;
    data: Error;
} | {
    status: 429;
    data: Error;
}>>;
/**
 * Log out
 */
export declare function logout(logoutRequest?: LogoutRequest, opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 200;
    data: Message;
} | {
    status: 400;
    data: Error;
} | {
    status: 401;
    data: Error;
} | {
    status: 403;
    data: Error;
} | {
    status: 429;
    data: Error;
}>>;
/**
 * Create a token
 */
export declare function createToken(createTokenRequest: CreateTokenRequest, { idempotencyKey }?: {
    idempotencyKey?: string;
}, opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 201;
    data: NewTokenResponse;
} | {
    status: 400;
    data: Error;
} | {
    status: 401;
    data: Error;
} | {
    status: 403;
    data: Error;
} | {
    status: 409;
    data: Error;
} | {
    status: 422;
    data: Error;
} | {
    status: 429;
    data: Error;
}>>;
/**
 * List own tokens
 */
export declare function listTokens(opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 200;
    data: TokenList;
} | {
    status: 401;
    data: Error;
} | {
    status: 403;
    data: Error;
} | {
    status: 429;
    data: Error;
}>>;
/**
 * Revoke all other own tokens
 */
export declare function revokeOtherTokens(except: "current", opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 200;
    data: RevokeOtherTokensResponse;
} | {
    status: 400;
    data: Error;
} | {
    status: 401;
    data: Error;
} | {
    status: 403;
    data: Error;
} | {
    status: 429;
    data: Error;
}>>;
/**
 * Replace an own token
 */
export declare function rotateToken(id: string, rotateTokenRequest?: RotateTokenRequest, { idempotencyKey }?: {
    idempotencyKey?: string;
}, opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 201;
    data: NewTokenResponse;
} | {
    status: 400;
    data: Error;
} | {
    status: 401;
    data: Error;
} | {
    status: 403;
    data: Error;
} | {
    status: 404;
    data: Error;
} | {
    status: 409;
    data: Error;
} | {
    status: 422;
    data: Error;
} | {
    status: 429;
    data: Error;
}>>;
/**
 * Get the token of this request
 */
export declare function getOwnToken(opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 200;
    data: TokenResponse;
} | {
    status: 401;
    data: Error;
} | {
    status: 429;
    data: Error;
}>>;
/**
 * Revoke an own token
 */
export declare function revokeToken(id: string, opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 204;
} | {
    status: 400;
    data: Error;
} | {
    status: 401;
    data: Error;
} | {
    status: 403;
    data: Error;
} | {
    status: 404;
    data: Error;
} | {
    status: 429;
    data: Error;
}>>;
/**
 * Verify tokens of users
 */
export declare function verifyTokens(verifyTokensRequest: VerifyTokensRequest, opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 200;
    data: VerifiedToken | VerifiedTokenList;
} | {
    status: 400;
    data: Error;
} | {
    status: 401;
    data: Error;
} | {
    status: 403;
    data: Error;
} | {
    status: 429;
    data: Error;
}>>;
/**
 * Get a JSON Web Token
 */
export declare function issueJwt(issueJwtRequest?: IssueJwtRequest, opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 200;
    data: JsonWebToken;
} | {
    status: 400;
    data: Error;
} | {
    status: 401;
    data: Error;
} | {
    status: 403;
    data: Error;
} | {
    status: 429;
    data: Error;
}>>;
/**
 * Get the keys of JSON Web Tokens
 */
export declare function getKeySet(opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 200;
    data: KeySet;
} | {
    status: 304;
} | {
    status: 429;
    data: Error;
}>>;
/**
 * List users
 */
export declare function listUsers({ limit, cursor, state, email, level, verified, createdFrom, createdTo, lastLoginFrom, lastLoginTo, metadata, search, sort, order }?: {
    limit?: number;
    cursor?: string;
    state?: "unclaimed" | "active" | "disabled";
    email?: string;
    level?: string;
    verified?: "true" | "false";
    createdFrom?: any;
    createdTo?: any;
    lastLoginFrom?: any;
    lastLoginTo?: any;
    metadata?: string;
    search?: string;
    sort?: "created_at" | "-created_at" | "last_login_at" | "-last_login_at" | "name" | "-name" | "email" | "-email";
    order?: "created_at" | "-created_at";
}, opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 200;
    data: UserPage | UserList | Message;
} | {
    status: 400;
    data: Error;
} | {
    status: 401;
    data: Error;
} | {
    status: 403;
    data: Error;
} | {
    status: 429;
    data: Error;
}>>;
/**
 * Create a user record
 */
export declare function createUser(createUserRequest?: CreateUserRequest, { idempotencyKey }?: {
    idempotencyKey?: string;
}, opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 201;
    data: CreateUserResponse;
} | {
    status: 400;
    data: Error;
} | {
    status: 401;
    data: Error;
} | {
    status: 403;
    data: Error;
} | {
    status: 409;
    data: Error;
} | {
    status: 422;
    data: Error;
} | {
    status: 429;
    data: Error;
} | {
    status: 503;
    data: Error;
}>>;
/**
 * Get a user
 */
export declare function getUser(id: string, opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 200;
    data: GetUserResponse;
} | {
    status: 400;
    data: Error;
} | {
    status: 401;
    data: Error;
} | {
    status: 403;
    data: Error;
} | {
    status: 404;
    data: Error;
} | {
    status: 429;
    data: Error;
}>>;
/**
 * Update a user
 */
export declare function updateUser(id: string, ifMatch: string, updateUserRequest: UpdateUserRequest, opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 200;
    data: UserResponse;
} | {
    status: 400;
    data: Error;
} | {
    status: 401;
    data: Error;
} | {
    status: 403;
    data: Error;
} | {
    status: 404;
    data: Error;
} | {
    status: 409;
    data: Error;
} | {
    status: 412;
    data: Error;
} | {
    status: 428;
    data: Error;
} | {
    status: 429;
    data: Error;
}>>;
/**
 * Delete a user
 */
export declare function deleteUser(id: string, { ifMatch }?: {
    ifMatch?: string;
}, opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 204;
} | {
    status: 400;
    data: Error;
} | {
    status: 401;
    data: Error;
} | {
    status: 403;
    data: Error;
} | {
    status: 404;
    data: Error;
} | {
    status: 412;
    data: Error;
} | {
    status: 429;
    data: Error;
}>>;
/**
 * Create and change many users
 */
export declare function batchUsers(batchUsersRequest: BatchUsersRequest, { idempotencyKey }?: {
    idempotencyKey?: string;
}, opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 200;
    data: BatchUsersResponse;
} | {
    status: 400;
    data: Error;
} | {
    status: 401;
    data: Error;
} | {
    status: 403;
    data: Error;
} | {
    status: 409;
    data: Error;
} | {
    status: 422;
    data: Error;
} | {
    status: 429;
    data: Error;
}>>;
/**
 * Export users as CSV
 */
export declare function exportUsers({ state, email, level, verified, createdFrom, createdTo, lastLoginFrom, lastLoginTo, metadata, search }?: {
    state?: "unclaimed" | "active" | "disabled";
    email?: string;
    level?: string;
    verified?: "true" | "false";
    createdFrom?: any;
    createdTo?: any;
    lastLoginFrom?: any;
    lastLoginTo?: any;
    metadata?: string;
    search?: string;
}, opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 200;
    data: string;
} | {
    status: 400;
    data: Error;
} | {
    status: 401;
    data: Error;
} | {
    status: 403;
    data: Error;
} | {
    status: 429;
    data: Error;
}>>;
/**
 * List a user's tokens
 */
export declare function listUserTokens(id: string, opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 200;
    data: UserTokenList;
} | {
    status: 400;
    data: Error;
} | {
    status: 401;
    data: Error;
} | {
    status: 403;
    data: Error;
} | {
    status: 404;
    data: Error;
} | {
    status: 429;
    data: Error;
}>>;
/**
 * Revoke a user's tokens
 */
export declare function revokeUserTokens(id: string, opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 204;
} | {
    status: 400;
    data: Error;
} | {
    status: 401;
    data: Error;
} | {
    status: 403;
    data: Error;
} | {
    status: 404;
    data: Error;
} | {
    status: 429;
    data: Error;
}>>;
/**
 * Revoke one of a user's tokens
 */
export declare function revokeUserToken(id: string, tokenId: string, opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 204;
} | {
    status: 400;
    data: Error;
} | {
    status: 401;
    data: Error;
} | {
    status: 403;
    data: Error;
} | {
    status: 404;
    data: Error;
} | {
    status: 429;
    data: Error;
}>>;
/**
 * Set a user's password
 */
export declare function setUserPassword(id: string, setUserPasswordRequest: SetUserPasswordRequest, opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 200;
    data: Message;
} | {
    status: 400;
    data: Error;
} | {
    status: 401;
    data: Error;
} | {
    status: 403;
    data: Error;
} | {
    status: 404;
    data: Error;
} | {
    status: 409;
    data: Error;
} | {
    status: 429;
    data: Error;
}>>;
/**
 * Send a link to a user
 */
export declare function sendLink(id: string, sendLinkRequest: SendLinkRequest, opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 202;
    data: Message;
} | {
    status: 400;
    data: Error;
} | {
    status: 401;
    data: Error;
} | {
    status: 403;
    data: Error;
} | {
    status: 404;
    data: Error;
} | {
    status: 409;
    data: Error;
} | {
    status: 429;
    data: Error;
}>>;
/**
 * List own security events
 */
export declare function listOwnSecurityEvents(opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 200;
    data: SecurityEventList;
} | {
    status: 401;
    data: Error;
} | {
    status: 403;
    data: Error;
} | {
    status: 410;
    data: Error;
} | {
    status: 429;
    data: Error;
}>>;
/**
 * List a user's security events
 */
export declare function listSecurityEvents(id: string, opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 200;
    data: SecurityEventList;
} | {
    status: 400;
    data: Error;
} | {
    status: 401;
    data: Error;
} | {
    status: 403;
    data: Error;
} | {
    status: 404;
    data: Error;
} | {
    status: 410;
    data: Error;
} | {
    status: 429;
    data: Error;
}>>;
/**
 * List the latest security events of all users
 */
export declare function listLatestSecurityEvents({ limit }?: {
    limit?: number;
}, opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 200;
    data: UserSecurityEventList;
} | {
    status: 400;
    data: Error;
} | {
    status: 401;
    data: Error;
} | {
    status: 403;
    data: Error;
} | {
    status: 410;
    data: Error;
} | {
    status: 429;
    data: Error;
}>>;
/**
 * List events
 */
export declare function listEvents({ limit, cursor, $type, subject, actor, outcome, $from, to, order }?: {
    limit?: number;
    cursor?: string;
    $type?: "user.created" | "user.updated" | "user.disabled" | "user.enabled" | "user.claimed" | "user.erased" | "users.exported" | "events.exported" | "login.succeeded" | "login.failed" | "token.created" | "token.rotated" | "token.revoked" | "password.changed" | "password.reset" | "email.change_requested" | "email.changed" | "email.verified" | "link.requested" | "link.sent" | "mail.retried" | "mail.cancelled" | "session.opened" | "session.closed" | "webhook.created" | "webhook.updated" | "webhook.disabled" | "webhook.secret_rotated" | "webhook.tested" | "webhook.delivery_retried" | "webhook.replayed" | "webhook.deleted" | "admin_token.rotated" | "secret_key.accepted" | "statistics.recomputed" | "settings.changed" | "signing_key.rotated" | "credential.created" | "credential.rotated" | "credential.totp_enabled" | "credential.totp_disabled" | "credential.totp_failed" | "credential.recovery_code_used" | "credential.recovery_codes_replaced" | "credential.revoked";
    subject?: string;
    actor?: string;
    outcome?: "success" | "failure";
    $from?: string;
    to?: string;
    order?: "time" | "-time";
}, opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 200;
    data: EventPage;
} | {
    status: 400;
    data: Error;
} | {
    status: 401;
    data: Error;
} | {
    status: 403;
    data: Error;
} | {
    status: 410;
    data: Error;
} | {
    status: 429;
    data: Error;
}>>;
/**
 * List own events
 */
export declare function listOwnEvents({ limit, cursor }?: {
    limit?: number;
    cursor?: string;
}, opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 200;
    data: OwnEventPage;
} | {
    status: 400;
    data: Error;
} | {
    status: 401;
    data: Error;
} | {
    status: 403;
    data: Error;
} | {
    status: 429;
    data: Error;
}>>;
/**
 * Export events as NDJSON
 */
export declare function exportEvents({ $type, subject, actor, outcome, $from, to, order }?: {
    $type?: "user.created" | "user.updated" | "user.disabled" | "user.enabled" | "user.claimed" | "user.erased" | "users.exported" | "events.exported" | "login.succeeded" | "login.failed" | "token.created" | "token.rotated" | "token.revoked" | "password.changed" | "password.reset" | "email.change_requested" | "email.changed" | "email.verified" | "link.requested" | "link.sent" | "mail.retried" | "mail.cancelled" | "session.opened" | "session.closed" | "webhook.created" | "webhook.updated" | "webhook.disabled" | "webhook.secret_rotated" | "webhook.tested" | "webhook.delivery_retried" | "webhook.replayed" | "webhook.deleted" | "admin_token.rotated" | "secret_key.accepted" | "statistics.recomputed" | "settings.changed" | "signing_key.rotated" | "credential.created" | "credential.rotated" | "credential.totp_enabled" | "credential.totp_disabled" | "credential.totp_failed" | "credential.recovery_code_used" | "credential.recovery_codes_replaced" | "credential.revoked";
    subject?: string;
    actor?: string;
    outcome?: "success" | "failure";
    $from?: string;
    to?: string;
    order?: "time" | "-time";
}, opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 200;
    data: string;
} | {
    status: 400;
    data: Error;
} | {
    status: 401;
    data: Error;
} | {
    status: 403;
    data: Error;
} | {
    status: 429;
    data: Error;
}>>;
/**
 * Stream events
 */
export declare function streamEvents({ cursor, lastEventId }?: {
    cursor?: string;
    lastEventId?: string;
}, opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 200;
    data: string;
} | {
    status: 400;
    data: Error;
} | {
    status: 401;
    data: Error;
} | {
    status: 403;
    data: Error;
} | {
    status: 410;
    data: Error;
} | {
    status: 429;
    data: Error;
}>>;
/**
 * Create a webhook
 */
export declare function createWebhook(createWebhookRequest: CreateWebhookRequest, { idempotencyKey }?: {
    idempotencyKey?: string;
}, opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 201;
    data: NewWebhookResponse;
} | {
    status: 400;
    data: Error;
} | {
    status: 401;
    data: Error;
} | {
    status: 403;
    data: Error;
} | {
    status: 409;
    data: Error;
} | {
    status: 422;
    data: Error;
} | {
    status: 429;
    data: Error;
}>>;
/**
 * List webhooks
 */
export declare function listWebhooks(opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 200;
    data: WebhookList;
} | {
    status: 400;
    data: Error;
} | {
    status: 401;
    data: Error;
} | {
    status: 403;
    data: Error;
} | {
    status: 429;
    data: Error;
}>>;
/**
 * Rotate the secret of a webhook
 */
export declare function rotateWebhookSecret(id: string, { idempotencyKey }?: {
    idempotencyKey?: string;
}, opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 200;
    data: NewWebhookResponse;
} | {
    status: 400;
    data: Error;
} | {
    status: 401;
    data: Error;
} | {
    status: 403;
    data: Error;
} | {
    status: 404;
    data: Error;
} | {
    status: 409;
    data: Error;
} | {
    status: 422;
    data: Error;
} | {
    status: 429;
    data: Error;
}>>;
/**
 * Get a webhook
 */
export declare function getWebhook(id: string, opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 200;
    data: WebhookResponse;
} | {
    status: 400;
    data: Error;
} | {
    status: 401;
    data: Error;
} | {
    status: 403;
    data: Error;
} | {
    status: 404;
    data: Error;
} | {
    status: 429;
    data: Error;
}>>;
/**
 * Update a webhook
 */
export declare function updateWebhook(id: string, ifMatch: string, updateWebhookRequest: UpdateWebhookRequest, opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 200;
    data: WebhookResponse;
} | {
    status: 400;
    data: Error;
} | {
    status: 401;
    data: Error;
} | {
    status: 403;
    data: Error;
} | {
    status: 404;
    data: Error;
} | {
    status: 412;
    data: Error;
} | {
    status: 428;
    data: Error;
} | {
    status: 429;
    data: Error;
}>>;
/**
 * Delete a webhook
 */
export declare function deleteWebhook(id: string, { ifMatch }?: {
    ifMatch?: string;
}, opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 204;
} | {
    status: 400;
    data: Error;
} | {
    status: 401;
    data: Error;
} | {
    status: 403;
    data: Error;
} | {
    status: 404;
    data: Error;
} | {
    status: 412;
    data: Error;
} | {
    status: 429;
    data: Error;
}>>;
/**
 * List deliveries of a webhook
 */
export declare function listWebhookDeliveries(id: string, { limit, cursor, state }?: {
    limit?: number;
    cursor?: string;
    state?: "pending" | "delivered" | "failed";
}, opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 200;
    data: WebhookDeliveryPage;
} | {
    status: 400;
    data: Error;
} | {
    status: 401;
    data: Error;
} | {
    status: 403;
    data: Error;
} | {
    status: 404;
    data: Error;
} | {
    status: 429;
    data: Error;
}>>;
/**
 * Send a test to a webhook
 */
export declare function testWebhook(id: string, { idempotencyKey }?: {
    idempotencyKey?: string;
}, opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 202;
    data: TestWebhookResponse;
} | {
    status: 400;
    data: Error;
} | {
    status: 401;
    data: Error;
} | {
    status: 403;
    data: Error;
} | {
    status: 404;
    data: Error;
} | {
    status: 409;
    data: Error;
} | {
    status: 422;
    data: Error;
} | {
    status: 429;
    data: Error;
}>>;
/**
 * Retry a delivery
 */
export declare function retryWebhookDelivery(id: string, deliveryId: string, { idempotencyKey }?: {
    idempotencyKey?: string;
}, opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 202;
    data: WebhookDeliveryResponse;
} | {
    status: 400;
    data: Error;
} | {
    status: 401;
    data: Error;
} | {
    status: 403;
    data: Error;
} | {
    status: 404;
    data: Error;
} | {
    status: 409;
    data: Error;
} | {
    status: 422;
    data: Error;
} | {
    status: 429;
    data: Error;
}>>;
/**
 * Replay events to a webhook
 */
export declare function replayWebhook(id: string, replayWebhookRequest: ReplayWebhookRequest, { idempotencyKey }?: {
    idempotencyKey?: string;
}, opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 202;
    data: ReplayWebhookResponse;
} | {
    status: 400;
    data: Error;
} | {
    status: 401;
    data: Error;
} | {
    status: 403;
    data: Error;
} | {
    status: 404;
    data: Error;
} | {
    status: 409;
    data: Error;
} | {
    status: 422;
    data: Error;
} | {
    status: 429;
    data: Error;
}>>;
/**
 * List messages
 */
export declare function listMail({ limit, cursor, state, recipient, $from, to }?: {
    limit?: number;
    cursor?: string;
    state?: "waiting" | "sending" | "sent" | "failed" | "dropped" | "cancelled";
    recipient?: string;
    $from?: any;
    to?: any;
}, opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 200;
    data: MailPage;
} | {
    status: 400;
    data: Error;
} | {
    status: 401;
    data: Error;
} | {
    status: 403;
    data: Error;
} | {
    status: 429;
    data: Error;
}>>;
/**
 * Get a message
 */
export declare function getMail(id: string, opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 200;
    data: GetMailResponse;
} | {
    status: 400;
    data: Error;
} | {
    status: 401;
    data: Error;
} | {
    status: 403;
    data: Error;
} | {
    status: 404;
    data: Error;
} | {
    status: 429;
    data: Error;
}>>;
/**
 * Retry a message
 */
export declare function retryMail(id: string, { idempotencyKey }?: {
    idempotencyKey?: string;
}, opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 202;
    data: MailResponse;
} | {
    status: 400;
    data: Error;
} | {
    status: 401;
    data: Error;
} | {
    status: 403;
    data: Error;
} | {
    status: 404;
    data: Error;
} | {
    status: 409;
    data: Error;
} | {
    status: 422;
    data: Error;
} | {
    status: 429;
    data: Error;
}>>;
/**
 * Cancel a message
 */
export declare function cancelMail(id: string, { idempotencyKey }?: {
    idempotencyKey?: string;
}, opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 200;
    data: MailResponse;
} | {
    status: 400;
    data: Error;
} | {
    status: 401;
    data: Error;
} | {
    status: 403;
    data: Error;
} | {
    status: 404;
    data: Error;
} | {
    status: 409;
    data: Error;
} | {
    status: 422;
    data: Error;
} | {
    status: 429;
    data: Error;
}>>;
/**
 * Create a credential
 */
export declare function createCredential(createCredentialRequest: CreateCredentialRequest, { idempotencyKey }?: {
    idempotencyKey?: string;
}, opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 201;
    data: NewCredentialResponse;
} | {
    status: 400;
    data: Error;
} | {
    status: 401;
    data: Error;
} | {
    status: 403;
    data: Error;
} | {
    status: 409;
    data: Error;
} | {
    status: 422;
    data: Error;
} | {
    status: 429;
    data: Error;
}>>;
/**
 * List credentials
 */
export declare function listCredentials(opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 200;
    data: CredentialList;
} | {
    status: 400;
    data: Error;
} | {
    status: 401;
    data: Error;
} | {
    status: 403;
    data: Error;
} | {
    status: 429;
    data: Error;
}>>;
/**
 * Rotate a credential
 */
export declare function rotateCredential(id: string, rotateCredentialRequest?: RotateCredentialRequest, { idempotencyKey }?: {
    idempotencyKey?: string;
}, opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 200;
    data: NewCredentialResponse;
} | {
    status: 400;
    data: Error;
} | {
    status: 401;
    data: Error;
} | {
    status: 403;
    data: Error;
} | {
    status: 404;
    data: Error;
} | {
    status: 409;
    data: Error;
} | {
    status: 422;
    data: Error;
} | {
    status: 429;
    data: Error;
}>>;
/**
 * Get a credential
 */
export declare function getCredential(id: string, opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 200;
    data: CredentialResponse;
} | {
    status: 400;
    data: Error;
} | {
    status: 401;
    data: Error;
} | {
    status: 403;
    data: Error;
} | {
    status: 404;
    data: Error;
} | {
    status: 429;
    data: Error;
}>>;
/**
 * Revoke a credential
 */
export declare function revokeCredential(id: string, opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 204;
} | {
    status: 400;
    data: Error;
} | {
    status: 401;
    data: Error;
} | {
    status: 403;
    data: Error;
} | {
    status: 404;
    data: Error;
} | {
    status: 429;
    data: Error;
}>>;
/**
 * Remove the second factor of a credential
 */
export declare function resetTotp(id: string, opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 204;
} | {
    status: 400;
    data: Error;
} | {
    status: 401;
    data: Error;
} | {
    status: 403;
    data: Error;
} | {
    status: 404;
    data: Error;
} | {
    status: 429;
    data: Error;
}>>;
/**
 * Get the dashboard
 */
export declare function getDashboard(opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 200;
    data: GetDashboardResponse;
} | {
    status: 400;
    data: Error;
} | {
    status: 401;
    data: Error;
} | {
    status: 403;
    data: Error;
} | {
    status: 429;
    data: Error;
}>>;
/**
 * Get the status of the node that responds
 */
export declare function getStatus(opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 200;
    data: GetStatusResponse;
} | {
    status: 400;
    data: Error;
} | {
    status: 401;
    data: Error;
} | {
    status: 403;
    data: Error;
} | {
    status: 429;
    data: Error;
}>>;
/**
 * List the settings of the node that responds
 */
export declare function listSettings(opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 200;
    data: SettingsResponse;
} | {
    status: 400;
    data: Error;
} | {
    status: 401;
    data: Error;
} | {
    status: 403;
    data: Error;
} | {
    status: 429;
    data: Error;
}>>;
/**
 * Change settings
 */
export declare function updateSettings(ifMatch: string, updateSettingsRequest: UpdateSettingsRequest, opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 200;
    data: SettingsResponse;
} | {
    status: 400;
    data: Error;
} | {
    status: 401;
    data: Error;
} | {
    status: 403;
    data: Error;
} | {
    status: 409;
    data: Error;
} | {
    status: 412;
    data: Error;
} | {
    status: 428;
    data: Error;
} | {
    status: 429;
    data: Error;
}>>;
/**
 * Check the node that responds
 */
export declare function listChecks(opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 200;
    data: ListChecksResponse;
} | {
    status: 400;
    data: Error;
} | {
    status: 401;
    data: Error;
} | {
    status: 403;
    data: Error;
} | {
    status: 429;
    data: Error;
}>>;
/**
 * Validate form-field definitions
 */
export declare function validateFormFields(validateFormFieldsRequest: ValidateFormFieldsRequest, opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 200;
    data: ValidateFormFieldsResponse;
} | {
    status: 400;
    data: Error;
} | {
    status: 401;
    data: Error;
} | {
    status: 403;
    data: Error;
} | {
    status: 429;
    data: Error;
}>>;

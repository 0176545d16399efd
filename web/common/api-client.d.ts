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
export type ErrorCode = "invalid_payload" | "validation_failed" | "invalid_limit" | "invalid_cursor" | "invalid_filter" | "invalid_path" | "malformed_request" | "idempotency_key_malformed" | "unauthorized" | "invalid_login" | "forbidden" | "insufficient_scope" | "cross_site_request" | "console_request_rejected" | "email_not_verified" | "gone" | "events_expired" | "not_found" | "user_not_found" | "token_not_found" | "webhook_not_found" | "webhook_delivery_not_found" | "link_not_found" | "method_not_allowed" | "not_acceptable" | "request_timeout" | "email_taken" | "too_many_tokens" | "too_many_webhooks" | "webhook_disabled" | "webhook_replay_running" | "token_already_rotated" | "user_state_conflict" | "version_conflict" | "idempotency_key_in_use" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "precondition_required" | "too_many_requests" | "rate_limited_anon" | "rate_limited_user" | "rate_limited_create" | "rate_limited_create_hour" | "rate_limited_create_day" | "rate_limited_register" | "rate_limited_register_hour" | "rate_limited_login" | "rate_limited_documents" | "rate_limited_admin_fail" | "rate_limited_password_reset" | "rate_limited_email_verification" | "rate_limited_token_create" | "rate_limited_write" | "headers_too_large" | "internal_error" | "unclaimed_users_full" | "service_unavailable";
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
};
export type EventType = "user.created" | "user.updated" | "user.disabled" | "user.enabled" | "user.claimed" | "user.erased" | "users.exported" | "login.succeeded" | "login.failed" | "token.created" | "token.rotated" | "token.revoked" | "password.changed" | "password.reset" | "email.change_requested" | "email.changed" | "email.verified" | "link.requested" | "link.sent" | "session.opened" | "session.closed" | "webhook.created" | "webhook.updated" | "webhook.disabled" | "webhook.secret_rotated" | "webhook.deleted" | "settings.changed";
export type OwnEvent = {
    id: string;
    "type": EventType;
    time: string;
    /** `user:` or `webhook:` and an id, or another name. */
    subject: string | null;
    /** Number among the events of the subject, beginning with 1; null without a subject. */
    sequence: number | null;
    /** Who has caused it. `system`: the service itself. */
    actor: {
        "type": "anonymous" | "user" | "administrator" | "system";
        /** Id of the user, null for others. */
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
    /** Of the client: the network, unless the operator keeps more. */
    address: string | null;
    /** As the client describes itself, which proves nothing. */
    device: string | null;
    /** More than 1 for an event that counts the rest of an hour. */
    occurrences: number;
};
export type Token = {
    id: string;
    name: string;
    /** The start of the token, to recognise it; null for tokens of earlier releases. */
    first_characters: string | null;
    scopes: string[];
    created_at: string;
    last_used_at: string | null;
    expires_at: string;
    /** Whether it is the token of this request. */
    current: boolean;
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
    /** Null when it is finished, or waits for an earlier delivery about its subject. */
    next_attempt_at: string | null;
    /** Oldest first. */
    attempts: {
        attempt: number;
        at: string;
        duration_ms: number;
        /** Of the response; null without one. */
        status: number | null;
        /** Why there was no complete response; null if there was one. */
        error: ("timeout" | "dns" | "address_not_allowed" | "refused" | "unreachable" | "reset" | "tls" | "redirect" | "too_large" | "invalid_response" | "aborted" | "failed" | "secret_unreadable" | null) | ("timeout" | "dns" | "address_not_allowed" | "refused" | "unreachable" | "reset" | "tls" | "redirect" | "too_large" | "invalid_response" | "aborted" | "failed" | "secret_unreadable" | null);
        /** The first line of the response, at most 200 characters. */
        line: string | null;
    }[];
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
    data: {
        status: "pass" | "fail";
    };
} | {
    status: 400;
    data: Error;
} | {
    status: 408;
    data: Error;
} | {
    status: 413;
    data: Error;
} | {
    status: 415;
    data: Error;
} | {
    status: 431;
    data: Error;
} | {
    status: 500;
    data: Error;
} | {
    status: 503;
    data: {
        status: "pass" | "fail";
    };
}>>;
/**
 * Check that requests can be served: the database is reachable and the process is not stopping
 */
export declare function getReadiness(opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 200;
    data: {
        status: "pass" | "fail";
    };
} | {
    status: 400;
    data: Error;
} | {
    status: 408;
    data: Error;
} | {
    status: 413;
    data: Error;
} | {
    status: 415;
    data: Error;
} | {
    status: 431;
    data: Error;
} | {
    status: 500;
    data: Error;
} | {
    status: 503;
    data: {
        status: "pass" | "fail";
    };
}>>;
/**
 * Same as /readyz
 */
export declare function getHealth(opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 200;
    data: {
        status: "pass" | "fail";
    };
} | {
    status: 400;
    data: Error;
} | {
    status: 408;
    data: Error;
} | {
    status: 413;
    data: Error;
} | {
    status: 415;
    data: Error;
} | {
    status: 431;
    data: Error;
} | {
    status: 500;
    data: Error;
} | {
    status: 503;
    data: {
        status: "pass" | "fail";
    };
}>>;
/**
 * Register
 */
export declare function register(body: {
    /** Must not be blank. Surrounding white space is removed. */
    name: string;
    /** An address as the HTML element `<input type=email>` accepts it. */
    email: string;
    /** Must not be blank. At most 4096 bytes as UTF-8 in normalization form C. */
    password: string;
    /** Accepted and ignored, whatever its value. Only the administrator sets the level of a user. */
    level?: any;
}, { idempotencyKey }?: {
    idempotencyKey?: string;
}, opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 201;
    data: {
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
} | {
    status: 400;
    data: Error;
} | {
    status: 403;
    data: Error;
} | {
    status: 406;
    data: Error;
} | {
    status: 408;
    data: Error;
} | {
    status: 409;
    data: Error;
} | {
    status: 413;
    data: Error;
} | {
    status: 415;
    data: Error;
} | {
    status: 422;
    data: Error;
} | {
    status: 429;
    data: Error;
} | {
    status: 431;
    data: Error;
} | {
    status: 500;
    data: Error;
} | {
    status: 503;
    data: Error;
}>>;
/**
 * Log in
 */
export declare function login(body: {
    /** Must not be blank. */
    email: string;
    /** Must not be blank. */
    password: string;
}, opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 200;
    data: {
        /** Shown once; only its hash is stored. */
        access_token: string;
        token_type: "Bearer";
        /** Seconds until the token expires. */
        expires_in: number;
    };
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
    status: 406;
    data: Error;
} | {
    status: 408;
    data: Error;
} | {
    status: 413;
    data: Error;
} | {
    status: 415;
    data: Error;
} | {
    status: 429;
    data: Error;
} | {
    status: 431;
    data: Error;
} | {
    status: 500;
    data: Error;
} | {
    status: 503;
    data: Error;
}>>;
/**
 * Change the password
 */
export declare function changePassword(body: {
    /** Must not be blank. */
    current_password: string;
    /** Must not be blank. At most 4096 bytes as UTF-8 in normalization form C. */
    password: string;
}, opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 200;
    data: {
        message: string;
    };
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
    status: 406;
    data: Error;
} | {
    status: 408;
    data: Error;
} | {
    status: 413;
    data: Error;
} | {
    status: 415;
    data: Error;
} | {
    status: 429;
    data: Error;
} | {
    status: 431;
    data: Error;
} | {
    status: 500;
    data: Error;
} | {
    status: 503;
    data: Error;
}>>;
/**
 * Request a link to set a new password
 */
export declare function requestPasswordReset(body: {
    /** An address as the HTML element `<input type=email>` accepts it. */
    email: string;
}, opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 202;
    data: {
        message: string;
    };
} | {
    status: 400;
    data: Error;
} | {
    status: 403;
    data: Error;
} | {
    status: 406;
    data: Error;
} | {
    status: 408;
    data: Error;
} | {
    status: 413;
    data: Error;
} | {
    status: 415;
    data: Error;
} | {
    status: 429;
    data: Error;
} | {
    status: 431;
    data: Error;
} | {
    status: 500;
    data: Error;
} | {
    status: 503;
    data: Error;
}>>;
/**
 * Set a password by a link
 */
export declare function resetPassword(token: string, body: {
    /** Must not be blank. At most 4096 bytes as UTF-8 in normalization form C. */
    password: string;
}, opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 200;
    data: {
        message: string;
    };
} | {
    status: 400;
    data: Error;
} | {
    status: 403;
    data: Error;
} | {
    status: 404;
    data: Error;
} | {
    status: 406;
    data: Error;
} | {
    status: 408;
    data: Error;
} | {
    status: 413;
    data: Error;
} | {
    status: 415;
    data: Error;
} | {
    status: 429;
    data: Error;
} | {
    status: 431;
    data: Error;
} | {
    status: 500;
    data: Error;
} | {
    status: 503;
    data: Error;
}>>;
/**
 * Get the current user
 */
export declare function getCurrentUser(opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 200;
    data: {
        message: string;
        data: User;
    };
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
    status: 406;
    data: Error;
} | {
    status: 408;
    data: Error;
} | {
    status: 413;
    data: Error;
} | {
    status: 415;
    data: Error;
} | {
    status: 429;
    data: Error;
} | {
    status: 431;
    data: Error;
} | {
    status: 500;
    data: Error;
} | {
    status: 503;
    data: Error;
}>>;
/**
 * Change the name or the email of the current user
 */
export declare function changeProfile(body: {
    /** Must not be blank. Surrounding white space is removed. */
    name?: string;
    /** An address as the HTML element `<input type=email>` accepts it. */
    email?: string;
    /** Required for another email. */
    current_password?: string;
}, { ifMatch }?: {
    ifMatch?: string;
}, opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 200;
    data: {
        message: string;
        data: User;
        /** The address that has to be confirmed, if this request has asked for another one. */
        pending_email?: string;
    };
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
    status: 406;
    data: Error;
} | {
    status: 408;
    data: Error;
} | {
    status: 412;
    data: Error;
} | {
    status: 413;
    data: Error;
} | {
    status: 415;
    data: Error;
} | {
    status: 429;
    data: Error;
} | {
    status: 431;
    data: Error;
} | {
    status: 500;
    data: Error;
} | {
    status: 503;
    data: Error;
}>>;
/**
 * Delete the current user
 */
export declare function eraseAccount(body: {
    /** Must not be blank. */
    current_password: string;
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
    status: 406;
    data: Error;
} | {
    status: 408;
    data: Error;
} | {
    status: 413;
    data: Error;
} | {
    status: 415;
    data: Error;
} | {
    status: 429;
    data: Error;
} | {
    status: 431;
    data: Error;
} | {
    status: 500;
    data: Error;
} | {
    status: 503;
    data: Error;
}>>;
/**
 * Export the data of the current user
 */
export declare function exportAccount(opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 200;
    data: {
        exported_at: string;
        user: {
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
            /** Its hash is not exported. */
            has_password: boolean;
        };
        /** Newest first; only hashes of them are stored. */
        tokens: {
            id: string;
            name: string;
            /** The start of the token, to recognise it; null for tokens of earlier releases. */
            first_characters: string | null;
            scopes: string[];
            created_at: string;
            last_used_at: string | null;
            expires_at: string;
        }[];
        /** Events in the form of earlier releases, newest first. */
        security_events: {
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
        }[];
        /** The last 1,000, newest first. */
        events: OwnEvent[];
        /** The first and last login from each network; only keyed hashes of the networks are stored. */
        known_networks: {
            /** Null if an earlier release has stored the login. */
            first_login_at: string | null;
            last_login_at: string;
        }[];
        /** Days in UTC on which a token was used, within 90 days. */
        active_days: string[];
        /** Emails that wait to be sent. */
        pending_messages: {
            kind: "verify_email" | "change_email" | "reset_password" | "claim_account" | "password_changed" | "email_change_requested" | "email_changed" | "new_network" | "webhook_disabled";
            /** The address that it will be sent to. */
            email: string;
            /** The address that it is about, in a notice of a change. */
            new_email: string | null;
            created_at: string;
            expires_at: string;
        }[];
        /** Links in sent emails. */
        pending_links: {
            kind: "verify_email" | "change_email" | "reset_password" | "claim_account";
            /** The address that it was sent to. */
            email: string;
            created_at: string;
            expires_at: string;
        }[];
        /** Encrypted responses to requests with an Idempotency-Key. */
        stored_responses: {
            route: string;
            expires_at: string;
        }[];
    };
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
    status: 406;
    data: Error;
} | {
    status: 408;
    data: Error;
} | {
    status: 413;
    data: Error;
} | {
    status: 415;
    data: Error;
} | {
    status: 429;
    data: Error;
} | {
    status: 431;
    data: Error;
} | {
    status: 500;
    data: Error;
} | {
    status: 503;
    data: Error;
}>>;
/**
 * Request another link to verify an email
 */
export declare function requestEmailVerification(body: {
    /** An address as the HTML element `<input type=email>` accepts it. */
    email: string;
}, opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 202;
    data: {
        message: string;
    };
} | {
    status: 400;
    data: Error;
} | {
    status: 403;
    data: Error;
} | {
    status: 406;
    data: Error;
} | {
    status: 408;
    data: Error;
} | {
    status: 413;
    data: Error;
} | {
    status: 415;
    data: Error;
} | {
    status: 429;
    data: Error;
} | {
    status: 431;
    data: Error;
} | {
    status: 500;
    data: Error;
} | {
    status: 503;
    data: Error;
}>>;
/**
 * Confirm an email by a link
 */
export declare function confirmEmail(token: string, opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 200;
    data: {
        message: string;
    };
} | {
    status: 400;
    data: Error;
} | {
    status: 403;
    data: Error;
} | {
    status: 404;
    data: Error;
} | {
    status: 406;
    data: Error;
} | {
    status: 408;
    data: Error;
} | {
    status: 409;
    data: Error;
} | {
    status: 413;
    data: Error;
} | {
    status: 415;
    data: Error;
} | {
    status: 429;
    data: Error;
} | {
    status: 431;
    data: Error;
} | {
    status: 500;
    data: Error;
} | {
    status: 503;
    data: Error;
}>>;
/**
 * Log out
 */
export declare function logout(body?: {
    /** The tokens to revoke: that of this request, all others of the user, or both. */
    scope?: "current" | "others" | "all";
}, opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 200;
    data: {
        message: string;
    };
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
    status: 406;
    data: Error;
} | {
    status: 408;
    data: Error;
} | {
    status: 413;
    data: Error;
} | {
    status: 415;
    data: Error;
} | {
    status: 429;
    data: Error;
} | {
    status: 431;
    data: Error;
} | {
    status: 500;
    data: Error;
} | {
    status: 503;
    data: Error;
}>>;
/**
 * Create a token
 */
export declare function createToken(body: {
    /** Must not be blank. Surrounding white space is removed. */
    name: string;
    /** At most those of the token of this request, which are the default. */
    scopes?: ("self:read" | "self:write" | "tokens:manage")[];
    /** Seconds until the token expires. The default is that of a login, but at most 365 days. */
    expires_in?: number;
}, { idempotencyKey }?: {
    idempotencyKey?: string;
}, opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 201;
    data: {
        message: string;
        data: {
            /** Shown once; only its hash is stored. */
            access_token: string;
            token_type: "Bearer";
            /** Seconds until the token expires. */
            expires_in: number;
            id: string;
            name: string;
            /** The start of the token, to recognise it; null for tokens of earlier releases. */
            first_characters: string | null;
            scopes: string[];
            created_at: string;
            last_used_at: string | null;
            expires_at: string;
            /** Whether it is the token of this request. */
            current: boolean;
        };
    };
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
    status: 406;
    data: Error;
} | {
    status: 408;
    data: Error;
} | {
    status: 409;
    data: Error;
} | {
    status: 413;
    data: Error;
} | {
    status: 415;
    data: Error;
} | {
    status: 422;
    data: Error;
} | {
    status: 429;
    data: Error;
} | {
    status: 431;
    data: Error;
} | {
    status: 500;
    data: Error;
} | {
    status: 503;
    data: Error;
}>>;
/**
 * List own tokens
 */
export declare function listTokens(opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 200;
    data: {
        message: string;
        data: Token[];
    };
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
    status: 406;
    data: Error;
} | {
    status: 408;
    data: Error;
} | {
    status: 413;
    data: Error;
} | {
    status: 415;
    data: Error;
} | {
    status: 429;
    data: Error;
} | {
    status: 431;
    data: Error;
} | {
    status: 500;
    data: Error;
} | {
    status: 503;
    data: Error;
}>>;
/**
 * Revoke all other own tokens
 */
export declare function revokeOtherTokens(except: "current", opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 200;
    data: {
        message: string;
        data: {
            /** Number of tokens that were valid. */
            revoked: number;
        };
    };
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
    status: 406;
    data: Error;
} | {
    status: 408;
    data: Error;
} | {
    status: 413;
    data: Error;
} | {
    status: 415;
    data: Error;
} | {
    status: 429;
    data: Error;
} | {
    status: 431;
    data: Error;
} | {
    status: 500;
    data: Error;
} | {
    status: 503;
    data: Error;
}>>;
/**
 * Replace an own token
 */
export declare function rotateToken(id: string, body?: {
    /** Seconds for which the replaced token stays valid, unless it expires earlier. 0 revokes it at once. */
    overlap?: number;
}, { idempotencyKey }?: {
    idempotencyKey?: string;
}, opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 201;
    data: {
        message: string;
        data: {
            /** Shown once; only its hash is stored. */
            access_token: string;
            token_type: "Bearer";
            /** Seconds until the token expires. */
            expires_in: number;
            id: string;
            name: string;
            /** The start of the token, to recognise it; null for tokens of earlier releases. */
            first_characters: string | null;
            scopes: string[];
            created_at: string;
            last_used_at: string | null;
            expires_at: string;
            /** Whether it is the token of this request. */
            current: boolean;
        };
    };
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
    status: 406;
    data: Error;
} | {
    status: 408;
    data: Error;
} | {
    status: 409;
    data: Error;
} | {
    status: 413;
    data: Error;
} | {
    status: 415;
    data: Error;
} | {
    status: 422;
    data: Error;
} | {
    status: 429;
    data: Error;
} | {
    status: 431;
    data: Error;
} | {
    status: 500;
    data: Error;
} | {
    status: 503;
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
    status: 406;
    data: Error;
} | {
    status: 408;
    data: Error;
} | {
    status: 413;
    data: Error;
} | {
    status: 415;
    data: Error;
} | {
    status: 429;
    data: Error;
} | {
    status: 431;
    data: Error;
} | {
    status: 500;
    data: Error;
} | {
    status: 503;
    data: Error;
}>>;
/**
 * List users
 */
export declare function listUsers({ limit, cursor, state, email, level, verified, createdFrom, createdTo, lastLoginFrom, lastLoginTo, search, sort, order }?: {
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
    search?: string;
    sort?: "created_at" | "-created_at" | "last_login_at" | "-last_login_at" | "name" | "-name" | "email" | "-email";
    order?: "created_at" | "-created_at";
}, opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 200;
    data: {
        message: string;
        data?: User[];
        next_cursor?: string | null;
    };
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
    status: 406;
    data: Error;
} | {
    status: 408;
    data: Error;
} | {
    status: 413;
    data: Error;
} | {
    status: 415;
    data: Error;
} | {
    status: 429;
    data: Error;
} | {
    status: 431;
    data: Error;
} | {
    status: 500;
    data: Error;
} | {
    status: 503;
    data: Error;
}>>;
/**
 * Create a user record
 */
export declare function createUser(body?: {
    /** Surrounding white space is removed. */
    name?: string;
    /** An address as the HTML element `<input type=email>` accepts it. */
    email?: string;
    /** Read with the administrator credential only. Must not be blank. At most 4096 bytes as UTF-8 in normalization form C. */
    password?: string;
    /** Read with the administrator credential only. */
    level?: string | null;
}, { idempotencyKey }?: {
    idempotencyKey?: string;
}, opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 201;
    data: {
        message: string;
        data: User | {
            id: string;
        };
    };
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
    status: 406;
    data: Error;
} | {
    status: 408;
    data: Error;
} | {
    status: 409;
    data: Error;
} | {
    status: 413;
    data: Error;
} | {
    status: 415;
    data: Error;
} | {
    status: 422;
    data: Error;
} | {
    status: 429;
    data: Error;
} | {
    status: 431;
    data: Error;
} | {
    status: 500;
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
    data: {
        message: string;
        data?: User;
    };
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
    status: 406;
    data: Error;
} | {
    status: 408;
    data: Error;
} | {
    status: 413;
    data: Error;
} | {
    status: 415;
    data: Error;
} | {
    status: 429;
    data: Error;
} | {
    status: 431;
    data: Error;
} | {
    status: 500;
    data: Error;
} | {
    status: 503;
    data: Error;
}>>;
/**
 * Update a user
 */
export declare function updateUser(id: string, ifMatch: string, body: {
    /** Must not be blank. Surrounding white space is removed. */
    name?: string;
    /** An address as the HTML element `<input type=email>` accepts it. */
    email?: string;
    level?: string | null;
    state?: "active" | "disabled";
    /** The version that the change is based on: 409 unless it is the current one. */
    version?: number;
}, opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 200;
    data: {
        message: string;
        data?: User;
    };
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
    status: 406;
    data: Error;
} | {
    status: 408;
    data: Error;
} | {
    status: 409;
    data: Error;
} | {
    status: 412;
    data: Error;
} | {
    status: 413;
    data: Error;
} | {
    status: 415;
    data: Error;
} | {
    status: 428;
    data: Error;
} | {
    status: 429;
    data: Error;
} | {
    status: 431;
    data: Error;
} | {
    status: 500;
    data: Error;
} | {
    status: 503;
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
    status: 406;
    data: Error;
} | {
    status: 408;
    data: Error;
} | {
    status: 412;
    data: Error;
} | {
    status: 413;
    data: Error;
} | {
    status: 415;
    data: Error;
} | {
    status: 429;
    data: Error;
} | {
    status: 431;
    data: Error;
} | {
    status: 500;
    data: Error;
} | {
    status: 503;
    data: Error;
}>>;
/**
 * Export users as CSV
 */
export declare function exportUsers({ state, email, level, verified, createdFrom, createdTo, lastLoginFrom, lastLoginTo, search }?: {
    state?: "unclaimed" | "active" | "disabled";
    email?: string;
    level?: string;
    verified?: "true" | "false";
    createdFrom?: any;
    createdTo?: any;
    lastLoginFrom?: any;
    lastLoginTo?: any;
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
    status: 408;
    data: Error;
} | {
    status: 413;
    data: Error;
} | {
    status: 415;
    data: Error;
} | {
    status: 429;
    data: Error;
} | {
    status: 431;
    data: Error;
} | {
    status: 500;
    data: Error;
} | {
    status: 503;
    data: Error;
}>>;
/**
 * List a user's tokens
 */
export declare function listUserTokens(id: string, opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 200;
    data: {
        message: string;
        data: {
            id: string;
            name: string;
            /** The start of the token, to recognise it; null for tokens of earlier releases. */
            first_characters: string | null;
            scopes: string[];
            created_at: string;
            last_used_at: string | null;
            expires_at: string;
        }[];
    };
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
    status: 406;
    data: Error;
} | {
    status: 408;
    data: Error;
} | {
    status: 413;
    data: Error;
} | {
    status: 415;
    data: Error;
} | {
    status: 429;
    data: Error;
} | {
    status: 431;
    data: Error;
} | {
    status: 500;
    data: Error;
} | {
    status: 503;
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
    status: 406;
    data: Error;
} | {
    status: 408;
    data: Error;
} | {
    status: 413;
    data: Error;
} | {
    status: 415;
    data: Error;
} | {
    status: 429;
    data: Error;
} | {
    status: 431;
    data: Error;
} | {
    status: 500;
    data: Error;
} | {
    status: 503;
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
    status: 406;
    data: Error;
} | {
    status: 408;
    data: Error;
} | {
    status: 413;
    data: Error;
} | {
    status: 415;
    data: Error;
} | {
    status: 429;
    data: Error;
} | {
    status: 431;
    data: Error;
} | {
    status: 500;
    data: Error;
} | {
    status: 503;
    data: Error;
}>>;
/**
 * Set a user's password
 */
export declare function setUserPassword(id: string, body: {
    /** Must not be blank. At most 4096 bytes as UTF-8 in normalization form C. */
    password: string;
}, opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 200;
    data: {
        message: string;
    };
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
    status: 406;
    data: Error;
} | {
    status: 408;
    data: Error;
} | {
    status: 409;
    data: Error;
} | {
    status: 413;
    data: Error;
} | {
    status: 415;
    data: Error;
} | {
    status: 429;
    data: Error;
} | {
    status: 431;
    data: Error;
} | {
    status: 500;
    data: Error;
} | {
    status: 503;
    data: Error;
}>>;
/**
 * Send a link to a user
 */
export declare function sendLink(id: string, body: {
    kind: "claim_account" | "reset_password" | "verify_email";
}, opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 202;
    data: {
        message: string;
    };
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
    status: 406;
    data: Error;
} | {
    status: 408;
    data: Error;
} | {
    status: 409;
    data: Error;
} | {
    status: 413;
    data: Error;
} | {
    status: 415;
    data: Error;
} | {
    status: 429;
    data: Error;
} | {
    status: 431;
    data: Error;
} | {
    status: 500;
    data: Error;
} | {
    status: 503;
    data: Error;
}>>;
/**
 * List own security events
 */
export declare function listOwnSecurityEvents(opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 200;
    data: {
        message: string;
        data: {
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
        }[];
    };
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
    status: 406;
    data: Error;
} | {
    status: 408;
    data: Error;
} | {
    status: 410;
    data: Error;
} | {
    status: 413;
    data: Error;
} | {
    status: 415;
    data: Error;
} | {
    status: 429;
    data: Error;
} | {
    status: 431;
    data: Error;
} | {
    status: 500;
    data: Error;
} | {
    status: 503;
    data: Error;
}>>;
/**
 * List a user's security events
 */
export declare function listSecurityEvents(id: string, opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 200;
    data: {
        message: string;
        data: {
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
        }[];
    };
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
    status: 406;
    data: Error;
} | {
    status: 408;
    data: Error;
} | {
    status: 410;
    data: Error;
} | {
    status: 413;
    data: Error;
} | {
    status: 415;
    data: Error;
} | {
    status: 429;
    data: Error;
} | {
    status: 431;
    data: Error;
} | {
    status: 500;
    data: Error;
} | {
    status: 503;
    data: Error;
}>>;
/**
 * List the latest security events of all users
 */
export declare function listLatestSecurityEvents({ limit }?: {
    limit?: number;
}, opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 200;
    data: {
        message: string;
        data: {
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
            /** The user as they are now. */
            user: {
                id: string;
                email: string | null;
                name: string | null;
            };
        }[];
    };
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
    status: 406;
    data: Error;
} | {
    status: 408;
    data: Error;
} | {
    status: 410;
    data: Error;
} | {
    status: 413;
    data: Error;
} | {
    status: 415;
    data: Error;
} | {
    status: 429;
    data: Error;
} | {
    status: 431;
    data: Error;
} | {
    status: 500;
    data: Error;
} | {
    status: 503;
    data: Error;
}>>;
/**
 * List events
 */
export declare function listEvents({ $type, subject, actor, outcome, $from, to, order, limit, cursor }?: {
    $type?: "user.created" | "user.updated" | "user.disabled" | "user.enabled" | "user.claimed" | "user.erased" | "users.exported" | "login.succeeded" | "login.failed" | "token.created" | "token.rotated" | "token.revoked" | "password.changed" | "password.reset" | "email.change_requested" | "email.changed" | "email.verified" | "link.requested" | "link.sent" | "session.opened" | "session.closed" | "webhook.created" | "webhook.updated" | "webhook.disabled" | "webhook.secret_rotated" | "webhook.deleted" | "settings.changed";
    subject?: string;
    actor?: string;
    outcome?: "success" | "failure";
    $from?: string;
    to?: string;
    order?: "time" | "-time";
    limit?: number;
    cursor?: string;
}, opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 200;
    data: {
        message: string;
        data: {
            id: string;
            "type": EventType;
            time: string;
            /** `user:` or `webhook:` and an id, or another name. */
            subject: string | null;
            /** Number among the events of the subject, beginning with 1; null without a subject. */
            sequence: number | null;
            /** Who has caused it. `system`: the service itself. */
            actor: {
                "type": "anonymous" | "user" | "administrator" | "system";
                /** Id of the user, null for others. */
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
            /** Of the client: the network, unless the operator keeps more. */
            address: string | null;
            /** As the client describes itself, which proves nothing. */
            device: string | null;
            /** More than 1 for an event that counts the rest of an hour. */
            occurrences: number;
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
        }[];
        next_cursor: string | null;
    };
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
    status: 406;
    data: Error;
} | {
    status: 408;
    data: Error;
} | {
    status: 410;
    data: Error;
} | {
    status: 413;
    data: Error;
} | {
    status: 415;
    data: Error;
} | {
    status: 429;
    data: Error;
} | {
    status: 431;
    data: Error;
} | {
    status: 500;
    data: Error;
} | {
    status: 503;
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
    data: {
        message: string;
        data: OwnEvent[];
        next_cursor: string | null;
    };
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
    status: 406;
    data: Error;
} | {
    status: 408;
    data: Error;
} | {
    status: 413;
    data: Error;
} | {
    status: 415;
    data: Error;
} | {
    status: 429;
    data: Error;
} | {
    status: 431;
    data: Error;
} | {
    status: 500;
    data: Error;
} | {
    status: 503;
    data: Error;
}>>;
/**
 * Export events as NDJSON
 */
export declare function exportEvents({ $type, subject, actor, outcome, $from, to, order }?: {
    $type?: "user.created" | "user.updated" | "user.disabled" | "user.enabled" | "user.claimed" | "user.erased" | "users.exported" | "login.succeeded" | "login.failed" | "token.created" | "token.rotated" | "token.revoked" | "password.changed" | "password.reset" | "email.change_requested" | "email.changed" | "email.verified" | "link.requested" | "link.sent" | "session.opened" | "session.closed" | "webhook.created" | "webhook.updated" | "webhook.disabled" | "webhook.secret_rotated" | "webhook.deleted" | "settings.changed";
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
    status: 408;
    data: Error;
} | {
    status: 413;
    data: Error;
} | {
    status: 415;
    data: Error;
} | {
    status: 429;
    data: Error;
} | {
    status: 431;
    data: Error;
} | {
    status: 500;
    data: Error;
} | {
    status: 503;
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
    status: 408;
    data: Error;
} | {
    status: 410;
    data: Error;
} | {
    status: 413;
    data: Error;
} | {
    status: 415;
    data: Error;
} | {
    status: 429;
    data: Error;
} | {
    status: 431;
    data: Error;
} | {
    status: 500;
    data: Error;
} | {
    status: 503;
    data: Error;
}>>;
/**
 * Create a webhook
 */
export declare function createWebhook(body: {
    /** Where events are sent to: an https URL that leads to a public address, without user and fragment. The operator may allow further networks, also by http. */
    url: string;
    /** Types of the events that are delivered; null for all, also those of later releases. */
    types?: ("user.created" | "user.updated" | "user.disabled" | "user.enabled" | "user.claimed" | "user.erased" | "users.exported" | "login.succeeded" | "login.failed" | "token.created" | "token.rotated" | "token.revoked" | "password.changed" | "password.reset" | "email.change_requested" | "email.changed" | "email.verified" | "link.requested" | "link.sent" | "session.opened" | "session.closed" | "webhook.created" | "webhook.updated" | "webhook.disabled" | "webhook.secret_rotated" | "webhook.deleted" | "settings.changed")[] | null;
    /** For people. Surrounding white space is removed. */
    description?: string | null;
    /** Whether events are delivered. */
    enabled?: boolean;
}, { idempotencyKey }?: {
    idempotencyKey?: string;
}, opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 201;
    data: {
        message: string;
        data: {
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
            /** The secret of the signatures, as Standard Webhooks write it. Shown once; stored encrypted. */
            secret: string;
        };
    };
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
    status: 406;
    data: Error;
} | {
    status: 408;
    data: Error;
} | {
    status: 409;
    data: Error;
} | {
    status: 413;
    data: Error;
} | {
    status: 415;
    data: Error;
} | {
    status: 422;
    data: Error;
} | {
    status: 429;
    data: Error;
} | {
    status: 431;
    data: Error;
} | {
    status: 500;
    data: Error;
} | {
    status: 503;
    data: Error;
}>>;
/**
 * List webhooks
 */
export declare function listWebhooks(opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 200;
    data: {
        message: string;
        data: Webhook[];
    };
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
    status: 406;
    data: Error;
} | {
    status: 408;
    data: Error;
} | {
    status: 413;
    data: Error;
} | {
    status: 415;
    data: Error;
} | {
    status: 429;
    data: Error;
} | {
    status: 431;
    data: Error;
} | {
    status: 500;
    data: Error;
} | {
    status: 503;
    data: Error;
}>>;
/**
 * Rotate the secret of a webhook
 */
export declare function rotateWebhookSecret(id: string, { idempotencyKey }?: {
    idempotencyKey?: string;
}, opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 200;
    data: {
        message: string;
        data: {
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
            /** The secret of the signatures, as Standard Webhooks write it. Shown once; stored encrypted. */
            secret: string;
        };
    };
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
    status: 406;
    data: Error;
} | {
    status: 408;
    data: Error;
} | {
    status: 409;
    data: Error;
} | {
    status: 413;
    data: Error;
} | {
    status: 415;
    data: Error;
} | {
    status: 422;
    data: Error;
} | {
    status: 429;
    data: Error;
} | {
    status: 431;
    data: Error;
} | {
    status: 500;
    data: Error;
} | {
    status: 503;
    data: Error;
}>>;
/**
 * Get a webhook
 */
export declare function getWebhook(id: string, opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 200;
    data: {
        message: string;
        data: Webhook;
    };
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
    status: 406;
    data: Error;
} | {
    status: 408;
    data: Error;
} | {
    status: 413;
    data: Error;
} | {
    status: 415;
    data: Error;
} | {
    status: 429;
    data: Error;
} | {
    status: 431;
    data: Error;
} | {
    status: 500;
    data: Error;
} | {
    status: 503;
    data: Error;
}>>;
/**
 * Update a webhook
 */
export declare function updateWebhook(id: string, ifMatch: string, body: {
    /** Where events are sent to: an https URL that leads to a public address, without user and fragment. The operator may allow further networks, also by http. */
    url?: string;
    /** Types of the events that are delivered; null for all, also those of later releases. */
    types?: ("user.created" | "user.updated" | "user.disabled" | "user.enabled" | "user.claimed" | "user.erased" | "users.exported" | "login.succeeded" | "login.failed" | "token.created" | "token.rotated" | "token.revoked" | "password.changed" | "password.reset" | "email.change_requested" | "email.changed" | "email.verified" | "link.requested" | "link.sent" | "session.opened" | "session.closed" | "webhook.created" | "webhook.updated" | "webhook.disabled" | "webhook.secret_rotated" | "webhook.deleted" | "settings.changed")[] | null;
    /** For people. Surrounding white space is removed. */
    description?: string | null;
    /** Whether events are delivered. A webhook that is enabled again has no failures and no `disabled_reason`. */
    enabled?: boolean;
}, opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 200;
    data: {
        message: string;
        data: Webhook;
    };
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
    status: 406;
    data: Error;
} | {
    status: 408;
    data: Error;
} | {
    status: 412;
    data: Error;
} | {
    status: 413;
    data: Error;
} | {
    status: 415;
    data: Error;
} | {
    status: 428;
    data: Error;
} | {
    status: 429;
    data: Error;
} | {
    status: 431;
    data: Error;
} | {
    status: 500;
    data: Error;
} | {
    status: 503;
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
    status: 406;
    data: Error;
} | {
    status: 408;
    data: Error;
} | {
    status: 412;
    data: Error;
} | {
    status: 413;
    data: Error;
} | {
    status: 415;
    data: Error;
} | {
    status: 429;
    data: Error;
} | {
    status: 431;
    data: Error;
} | {
    status: 500;
    data: Error;
} | {
    status: 503;
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
    data: {
        message: string;
        data: WebhookDelivery[];
        next_cursor: string | null;
    };
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
    status: 406;
    data: Error;
} | {
    status: 408;
    data: Error;
} | {
    status: 413;
    data: Error;
} | {
    status: 415;
    data: Error;
} | {
    status: 429;
    data: Error;
} | {
    status: 431;
    data: Error;
} | {
    status: 500;
    data: Error;
} | {
    status: 503;
    data: Error;
}>>;
/**
 * Send a test to a webhook
 */
export declare function testWebhook(id: string, { idempotencyKey }?: {
    idempotencyKey?: string;
}, opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 202;
    data: {
        message: string;
        data: {
            delivery_id: string;
        };
    };
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
    status: 406;
    data: Error;
} | {
    status: 408;
    data: Error;
} | {
    status: 409;
    data: Error;
} | {
    status: 413;
    data: Error;
} | {
    status: 415;
    data: Error;
} | {
    status: 422;
    data: Error;
} | {
    status: 429;
    data: Error;
} | {
    status: 431;
    data: Error;
} | {
    status: 500;
    data: Error;
} | {
    status: 503;
    data: Error;
}>>;
/**
 * Retry a delivery
 */
export declare function retryWebhookDelivery(id: string, deliveryId: string, { idempotencyKey }?: {
    idempotencyKey?: string;
}, opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 202;
    data: {
        message: string;
        data: WebhookDelivery;
    };
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
    status: 406;
    data: Error;
} | {
    status: 408;
    data: Error;
} | {
    status: 409;
    data: Error;
} | {
    status: 413;
    data: Error;
} | {
    status: 415;
    data: Error;
} | {
    status: 422;
    data: Error;
} | {
    status: 429;
    data: Error;
} | {
    status: 431;
    data: Error;
} | {
    status: 500;
    data: Error;
} | {
    status: 503;
    data: Error;
}>>;
/**
 * Replay events to a webhook
 */
export declare function replayWebhook(id: string, body: {
    /** Time (RFC 3339) from which on all events are delivered. */
    since?: string;
    /** Beginning of a span, with `to`. */
    "from"?: string;
    /** End of the span; events of this moment are not part of it. */
    to?: string;
    /** Single events, of any type. */
    event_ids?: string[];
}, { idempotencyKey }?: {
    idempotencyKey?: string;
}, opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 202;
    data: {
        message: string;
        data: {
            /** The maximum number of events: those of other types are left out. */
            events: number;
        };
    };
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
    status: 406;
    data: Error;
} | {
    status: 408;
    data: Error;
} | {
    status: 409;
    data: Error;
} | {
    status: 413;
    data: Error;
} | {
    status: 415;
    data: Error;
} | {
    status: 422;
    data: Error;
} | {
    status: 429;
    data: Error;
} | {
    status: 431;
    data: Error;
} | {
    status: 500;
    data: Error;
} | {
    status: 503;
    data: Error;
}>>;
/**
 * Get the dashboard
 */
export declare function getDashboard(opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 200;
    data: {
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
                today: {
                    count: number;
                    /** Count of the preceding period of the same length. */
                    previous: number;
                    /** count − previous */
                    change: number;
                };
                last_7_days: {
                    count: number;
                    /** Count of the preceding period of the same length. */
                    previous: number;
                    /** count − previous */
                    change: number;
                };
                last_30_days: {
                    count: number;
                    /** Count of the preceding period of the same length. */
                    previous: number;
                    /** count − previous */
                    change: number;
                };
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
            sign_ups_by_day: {
                date: string;
                count: number;
            }[];
            /** The last 30 UTC days, oldest first, including days with zero. */
            active_users_by_day: {
                date: string;
                count: number;
            }[];
            live_tokens: number;
            failed_logins_24h: number;
        };
    };
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
    status: 406;
    data: Error;
} | {
    status: 408;
    data: Error;
} | {
    status: 413;
    data: Error;
} | {
    status: 415;
    data: Error;
} | {
    status: 429;
    data: Error;
} | {
    status: 431;
    data: Error;
} | {
    status: 500;
    data: Error;
} | {
    status: 503;
    data: Error;
}>>;
/**
 * Get the status of the node that responds
 */
export declare function getStatus(opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 200;
    data: {
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
    status: 406;
    data: Error;
} | {
    status: 408;
    data: Error;
} | {
    status: 413;
    data: Error;
} | {
    status: 415;
    data: Error;
} | {
    status: 429;
    data: Error;
} | {
    status: 431;
    data: Error;
} | {
    status: 500;
    data: Error;
} | {
    status: 503;
    data: Error;
}>>;
/**
 * List the settings of the node that responds
 */
export declare function listSettings(opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 200;
    data: {
        message: string;
        data: {
            settings: {
                /** Name of the environment variable. */
                name: string;
                /** What applies. Null if nothing does, and of secrets; passwords in URLs are masked. */
                value: string | null;
                source: "environment" | "default";
                /** Whether the value is, or may contain, a secret. */
                is_secret: boolean;
                /** Whether there is a value, also if it is not shown. */
                is_set: boolean;
            }[];
            /** The rate limits in force. */
            limits: {
                /** More names may be added. */
                name: "anon" | "user" | "create" | "create-hour" | "create-day" | "register" | "register-hour" | "login" | "login-fail" | "login-account" | "admin-fail" | "documents" | "password-reset" | "email-verification" | "token-create" | "write";
                /** Null while the limit is off. */
                quota: number | null;
                window_seconds: number | null;
            }[];
        };
    };
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
    status: 406;
    data: Error;
} | {
    status: 408;
    data: Error;
} | {
    status: 413;
    data: Error;
} | {
    status: 415;
    data: Error;
} | {
    status: 429;
    data: Error;
} | {
    status: 431;
    data: Error;
} | {
    status: 500;
    data: Error;
} | {
    status: 503;
    data: Error;
}>>;
/**
 * Check the node that responds
 */
export declare function listChecks(opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 200;
    data: {
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
    status: 406;
    data: Error;
} | {
    status: 408;
    data: Error;
} | {
    status: 413;
    data: Error;
} | {
    status: 415;
    data: Error;
} | {
    status: 429;
    data: Error;
} | {
    status: 431;
    data: Error;
} | {
    status: 500;
    data: Error;
} | {
    status: 503;
    data: Error;
}>>;
/**
 * Validate form-field definitions
 */
export declare function validateFormFields(body: {
    fields: {
        label: string;
        "type": "text" | "number" | "email" | "date" | "checkbox";
        is_required: boolean;
    }[];
}, opts?: Oazapfts.RequestOpts): Promise<Oazapfts.WithHeaders<{
    status: 200;
    data: {
        errors: string[];
    };
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
    status: 406;
    data: Error;
} | {
    status: 408;
    data: Error;
} | {
    status: 413;
    data: Error;
} | {
    status: 415;
    data: Error;
} | {
    status: 429;
    data: Error;
} | {
    status: 431;
    data: Error;
} | {
    status: 500;
    data: Error;
} | {
    status: 503;
    data: Error;
}>>;

/** Entries of the registry of tables: their form, and those about sign-ins on the pages of the service, and at applications and identity providers. */
import type { Value } from '../../../database/database.ts';
import type { JsonSchema } from '../../../lib/schema/json-schema.ts';
import { nullableText, nullableTimestamp, text, timestamp } from '../../users/records/member-schemas.ts';

/** The user whose rows are read. */
export interface RowOwner {
  readonly id: string;
  readonly emailKey: string;
}

export interface ExportedRows {
  /** Name of the list in the export. */
  readonly member: string;
  readonly description: string;
  /** Schema of each exported column; the names of times end with `_at`, and objects are stored as JSON. */
  readonly columns: Readonly<Record<string, JsonSchema>>;
  /** The column by which the list is sorted; by default `created_at`. */
  readonly latestFirst?: string;
  /** A condition for the rows of the user. */
  readonly where?: string;
  /** Rows that refer to the user by another column. */
  readonly also?: {
    readonly where: string;
    readonly getValues: (owner: RowOwner) => readonly Value[];
  };
  /** JSON in the column `data` whose members are exported, with their schemas. */
  readonly data?: Readonly<Record<string, JsonSchema>>;
}

export interface UserTable {
  readonly name: string;
  /** Columns of the primary key. */
  readonly key: string;
  /** The column after `user_id` in an index. In its order, PostgreSQL does not read the whole table for the rows. */
  readonly order?: string;
  readonly contents: string;
  readonly kept: string;
  /** Why a user has few rows; absent if there can be any number. */
  readonly bound?: string;
  /** A condition for rows that stay after an erasure, without the user. */
  readonly unlinkedWhere?: string;
  readonly exported: ExportedRows;
}

export const MAX_IDENTITIES = 20;

/** In the order of their deletion. */
export const SIGN_IN_TABLES: readonly UserTable[] = [
  {
    name: 'sign_in_sessions',
    key: 'id',
    order: 'id',
    contents: 'session of a browser that is signed in on the pages of the service',
    kept: '12 hours after its last use, at most 30 days',
    bound: 'at most 50',
    exported: {
      member: 'sessions',
      description: 'Browsers that are signed in on the pages of the service.',
      columns: {
        amr: { ...text, description: 'How the user signed in (RFC 8176), separated by spaces.' },
        authenticated_at: timestamp,
        created_at: timestamp,
        last_used_at: timestamp,
        expires_at: timestamp,
        device: nullableText,
        network: nullableText,
      },
    },
  },
  {
    name: 'sign_in_challenges',
    key: 'hash',
    order: 'hash',
    contents: 'login that waits for a code of the second factor',
    kept: '5 minutes',
    bound: 'each needs the password of the user, and expires within five minutes',
    exported: {
      member: 'pending_logins',
      description: 'Logins that wait for a code of the second factor.',
      columns: { amr: text, expires_at: timestamp },
      latestFirst: 'expires_at',
    },
  },
  {
    name: 'authorization_codes',
    key: 'hash',
    order: 'hash',
    contents: 'code by which an application gets a token',
    kept: '2 minutes, and until the next housekeeping',
    bound: 'at most 20 of each session',
    exported: {
      member: 'authorization_codes',
      description: 'Codes of the last minutes by which applications got tokens.',
      columns: {
        application_id: text,
        redirect_uri: text,
        scopes: text,
        amr: text,
        authenticated_at: timestamp,
        created_at: timestamp,
        expires_at: timestamp,
        token_id: { ...nullableText, description: 'Null unless the code was used.' },
      },
    },
  },
  {
    name: 'device_authorizations',
    key: 'hash',
    order: 'hash',
    contents:
      'device without a browser that the user has allowed or denied to sign in, its program and network',
    kept: '11 minutes, and until the next housekeeping',
    bound: 'each needs a press of the user on a page, and expires within ten minutes',
    exported: {
      member: 'devices',
      description:
        'Devices without a browser that the user has allowed or denied to sign in within the last minutes.',
      columns: {
        application_id: text,
        scopes: text,
        device: nullableText,
        network: nullableText,
        allowed: { type: 'integer', description: '1 or 0.' },
        amr: text,
        authenticated_at: timestamp,
        created_at: timestamp,
        expires_at: timestamp,
        token_id: { ...nullableText, description: 'Null unless the device has got its token.' },
      },
    },
  },
  {
    name: 'identities',
    key: 'id',
    order: 'id',
    contents: 'account at an identity provider with which the user can sign in',
    kept: 'until it is unlinked',
    bound: `at most ${MAX_IDENTITIES}`,
    exported: {
      member: 'identities',
      description: 'Accounts at identity providers with which the user can sign in.',
      columns: {
        issuer: text,
        subject: { ...text, description: 'Id of the account at the issuer.' },
        email: { ...nullableText, description: 'The email there, as of the last sign-in.' },
        created_at: timestamp,
        last_used_at: timestamp,
      },
    },
  },
  {
    name: 'passkeys',
    key: 'id',
    order: 'id',
    contents: 'passkey with which the user can sign in: its public key, name and model',
    kept: 'until it is removed',
    bound: 'at most 20',
    exported: {
      member: 'passkeys',
      description: 'Passkeys with which the user can sign in; their private keys are not known.',
      columns: {
        name: text,
        credential_id: text,
        public_key: { ...text, description: 'COSE key in base64url.' },
        rp_id: { ...text, description: 'The domain to which it belongs.' },
        aaguid: { ...text, description: 'Model of the authenticator.' },
        transports: { ...text, description: 'How the browser reaches it, separated by spaces.' },
        created_at: timestamp,
        last_used_at: nullableTimestamp,
      },
    },
  },
  {
    name: 'passkey_challenges',
    key: 'hash',
    order: 'hash',
    contents: 'sign-in with a passkey, or addition of one, that has begun',
    kept: '5 minutes',
    bound: 'each expires within five minutes',
    exported: {
      member: 'pending_passkeys',
      description: 'Sign-ins with a passkey and additions of one that have begun.',
      columns: { purpose: text, expires_at: timestamp },
      latestFirst: 'expires_at',
    },
  },
];

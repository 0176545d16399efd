/** The record of a credential: its row, its schemas, what the API shows of it, and examples. */
import { ADMIN_SCOPE_NAMES, ADMIN_SCOPES } from '../../callers/admin-scopes.ts';
import type { AdminCredential } from '../../callers/callers.ts';
import * as json from '../../lib/schema/json-schema.ts';
import { exampleId as id, idParameters } from '../../lib/schema/query-parameters.ts';
import { formatTimes, optionalTimestamp } from '../../lib/time.ts';
import { nullableTimestamp, text, timestamp, uuid } from '../users/records/member-schemas.ts';
import { DEFAULT_OVERLAP_SECONDS, MAX_NETWORKS, MAX_OVERLAP_SECONDS, parseScopes } from './rules.ts';

/** A credential without its secrets. Times in epoch milliseconds. */
export interface CredentialRow {
  readonly id: string;
  readonly name: string;
  /** Separated by spaces (RFC 6749 section 3.3). */
  readonly scopes: string;
  /** JSON array of networks in CIDR notation; null for all. */
  readonly networks: string | null;
  /** The start of the current secret. */
  readonly first_characters: string;
  readonly created_at: number;
  /** Null: never. */
  readonly expires_at: number | null;
  readonly last_used_at: number | null;
  readonly rotated_at: number | null;
  /** Time until which the secret before the last rotation is accepted, too. */
  readonly previous_until: number | null;
  /** Set by earlier releases, in which it was the credential of a person: it is not accepted any more. */
  readonly totp_enabled_at: number | null;
}

export interface CredentialWithSecret {
  readonly credential: CredentialRow;
  /** Not stored: it is returned only once. */
  readonly secret: string;
}

const meanings = Object.entries(ADMIN_SCOPES).map(([name, { meaning }]) => `\`${name}\`: ${meaning}`);

export const credentialSchema = {
  $id: 'Credential',
  ...json.recordSchema({
    id: uuid,
    name: text,
    scopes: { type: 'array', items: text },
    networks: {
      type: ['array', 'null'],
      items: text,
      description: 'Networks from which it is accepted, in CIDR notation; null for all.',
    },
    first_characters: { ...text, description: 'The start of the credential, to recognise it.' },
    created_at: timestamp,
    expires_at: { ...nullableTimestamp, description: 'Null: it does not expire.' },
    last_used_at: { ...nullableTimestamp, description: 'Accurate to a minute; null before the first use.' },
    rotated_at: { ...nullableTimestamp, description: 'Time of the last rotation.' },
    previous_until: {
      ...nullableTimestamp,
      description: 'Until then, the secret before the last rotation is accepted, too.',
    },
    totp_enabled_at: {
      ...nullableTimestamp,
      description:
        'Set by earlier releases for a credential of a person: it is not accepted any more. Give the user a role instead.',
    },
    current: { type: 'boolean', description: 'Whether it is the credential of this request.' },
  }),
} as const satisfies json.JsonSchema;

const credential = {
  type: 'string',
  description: 'The credential itself: send it as a bearer token. Shown once; only its hash is stored.',
} as const satisfies json.JsonSchema;

export const newCredentialSchema = json.dataSchema({
  ...json.extendSchema(credentialSchema, { credential }),
  title: 'NewCredential',
});

export const credentialResponseSchema = json.dataSchema({ $ref: 'Credential' });
export const credentialListSchema = json.dataSchema({ type: 'array', items: { $ref: 'Credential' } });

export const createCredentialSchema = json.closedSchema(['name', 'scopes'], {
  name: {
    ...json.visibleName,
    description:
      'Names the actor in events. No two credentials have names that differ only by case, accents or spaces. Surrounding white space is removed; control and format characters are rejected.',
  },
  scopes: {
    type: 'array',
    items: { type: 'string', enum: ADMIN_SCOPE_NAMES },
    minItems: 1,
    description: `What it permits. ${meanings.join(' ')}`,
  },
  expires_at: {
    type: ['string', 'null'],
    default: null,
    description: 'A time in the future (RFC 3339); null: it does not expire.',
  },
  networks: {
    type: ['array', 'null'],
    items: { type: 'string', maxLength: 64 },
    minItems: 1,
    maxItems: MAX_NETWORKS,
    default: null,
    description: 'Addresses, and networks in CIDR notation, from which it is accepted; null: all.',
  },
});

export const rotateCredentialSchema = {
  title: 'RotateCredentialRequest',
  type: 'object',
  additionalProperties: false,
  properties: {
    overlap: {
      type: 'integer',
      minimum: 0,
      maximum: MAX_OVERLAP_SECONDS,
      default: DEFAULT_OVERLAP_SECONDS,
      description: 'Seconds for which the replaced secret stays valid. 0 ends its validity at once.',
    },
  },
} as const satisfies json.JsonSchema;

export const credentialIdSchema = idParameters({ id: 'Id of a credential.' });

/** Returns a credential as the API shows it, without its secret. */
export function credentialView(
  credential: CredentialRow,
  { caller, now }: { caller: AdminCredential; now: number },
) {
  const { id, scopes, networks, previous_until } = credential;
  const isOverlapping = previous_until !== null && previous_until > now;
  return {
    ...formatTimes(credential, ['created_at', 'expires_at', 'last_used_at', 'rotated_at', 'totp_enabled_at']),
    scopes: parseScopes(scopes),
    networks: networks === null ? null : (JSON.parse(networks) as string[]),
    previous_until: optionalTimestamp(isOverlapping ? previous_until : null),
    current: id === caller.id,
  };
}

/** Returns a credential with its new secret as the API shows it once. */
export function credentialWithSecret(
  { credential, secret }: CredentialWithSecret,
  context: { caller: AdminCredential; now: number },
) {
  return { ...credentialView(credential, context), credential: secret };
}

const newCredential = {
  name: 'newsletter',
  scopes: ['users:read', 'links:send'],
  expires_at: '2027-01-05T00:00:00Z',
  networks: ['192.0.2.0/24'],
};

const credentialExample = {
  id,
  ...newCredential,
  first_characters: 'fd_svc_4fQz1',
  created_at: '2026-01-05T09:30:00.000Z',
  last_used_at: null,
  rotated_at: null,
  previous_until: null,
  totp_enabled_at: null,
  current: false,
};

const secret = 'fd_svc_4fQz1forTheDescriptionOnlyNeverUse000000000000000';

const created = { message: 'Credential created', data: { ...credentialExample, credential: secret } };

/** Examples of the OpenAPI description. A test validates them against the schemas. */
export const examples = {
  newCredential,
  created,
  rotated: {
    message: 'Credential rotated',
    data: {
      ...created.data,
      rotated_at: '2026-01-06T08:00:00.000Z',
      previous_until: '2026-01-07T08:00:00.000Z',
    },
  },
  list: { message: 'Credentials list', data: [credentialExample] },
  response: { message: `Credential ${id}`, data: credentialExample },
};

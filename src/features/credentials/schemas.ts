import { ADMIN_SCOPE_NAMES, ADMIN_SCOPES } from '../../callers/admin-scopes.ts';
import {
  dataSchema,
  extendSchema,
  FILLED_PATTERN,
  type JsonSchema,
  recordSchema,
} from '../../lib/schema/json-schema.ts';
import { idParameters } from '../../lib/schema/query-parameters.ts';
import { nullableTimestamp, text, timestamp, uuid } from '../users/records/member-schemas.ts';
import { DEFAULT_OVERLAP_SECONDS, MAX_NETWORKS, MAX_OVERLAP_SECONDS } from './rules.ts';

const meanings = Object.entries(ADMIN_SCOPES).map(([name, { meaning }]) => `\`${name}\`: ${meaning}`);

export const credentialSchema = {
  $id: 'Credential',
  ...recordSchema({
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
} as const satisfies JsonSchema;

const credential = {
  type: 'string',
  description: 'The credential itself: send it as a bearer token. Shown once; only its hash is stored.',
} as const satisfies JsonSchema;

/** A credential with its secret. */
export const newCredentialSchema = dataSchema({
  ...extendSchema(credentialSchema, { credential }),
  title: 'NewCredential',
});

export const credentialResponseSchema = dataSchema({ $ref: 'Credential' });
export const credentialListSchema = dataSchema({ type: 'array', items: { $ref: 'Credential' } });

export const createCredentialSchema = {
  type: 'object',
  required: ['name', 'scopes'],
  additionalProperties: false,
  properties: {
    name: {
      type: 'string',
      maxLength: 100,
      pattern: FILLED_PATTERN,
      'x-visible': true,
      'x-trim': true,
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
  },
} as const satisfies JsonSchema;

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
} as const satisfies JsonSchema;

export const credentialIdSchema = idParameters({ id: 'Id of a credential.' });

import type { JsonSchema } from '../../../../lib/schema/json-schema.ts';
import { LINK_KINDS } from '../../../mail/links/queries.ts';
import { END_STATES } from '../../../mail/messages/states.ts';
import { MAIL_KINDS } from '../../../mail/queries.ts';
import { storedTokenSchema } from '../../../tokens/schemas.ts';
import { nullableText, nullableTimestamp, text, timestamp } from '../../records/member-schemas.ts';
import { userSchema } from '../../records/schemas.ts';
import { securityEventSchema } from '../schemas.ts';

const user = {
  type: 'object',
  required: [...userSchema.required, 'has_password'],
  properties: {
    ...userSchema.properties,
    has_password: { type: 'boolean', description: 'Its hash is not exported.' },
  },
} as const satisfies JsonSchema;

const knownNetwork = {
  type: 'object',
  required: ['first_login_at', 'last_login_at'],
  properties: {
    first_login_at: { ...nullableTimestamp, description: 'Null if an earlier release has stored the login.' },
    last_login_at: timestamp,
  },
} as const satisfies JsonSchema;

const pendingMessage = {
  type: 'object',
  required: ['kind', 'email', 'new_email', 'created_at', 'expires_at'],
  properties: {
    kind: { type: 'string', enum: MAIL_KINDS },
    email: { ...text, description: 'The address that it will be sent to.' },
    new_email: { ...nullableText, description: 'The address that it is about, in a notice of a change.' },
    created_at: timestamp,
    expires_at: timestamp,
  },
} as const satisfies JsonSchema;

const endedMessage = {
  type: 'object',
  required: ['kind', 'email', 'state', 'created_at', 'ended_at'],
  properties: {
    kind: { type: 'string', enum: MAIL_KINDS },
    email: { ...text, description: 'The address of the recipient.' },
    state: { type: 'string', enum: END_STATES },
    created_at: timestamp,
    ended_at: timestamp,
  },
} as const satisfies JsonSchema;

const pendingLink = {
  type: 'object',
  required: ['kind', 'email', 'created_at', 'expires_at'],
  properties: {
    kind: { type: 'string', enum: LINK_KINDS },
    email: { ...text, description: 'The address that it was sent to.' },
    created_at: timestamp,
    expires_at: timestamp,
  },
} as const satisfies JsonSchema;

const storedResponse = {
  type: 'object',
  required: ['route', 'expires_at'],
  properties: { route: text, expires_at: timestamp },
} as const satisfies JsonSchema;

/** Everything that is stored about a user. */
export const accountExportSchema = {
  type: 'object',
  required: [
    'exported_at',
    'user',
    'tokens',
    'security_events',
    'events',
    'known_networks',
    'active_days',
    'pending_messages',
    'messages',
    'pending_links',
    'stored_responses',
  ],
  properties: {
    exported_at: timestamp,
    user,
    tokens: {
      type: 'array',
      items: storedTokenSchema,
      description: 'Newest first; only hashes of them are stored.',
    },
    security_events: {
      type: 'array',
      items: securityEventSchema,
      description: 'Events in the form of earlier releases, newest first.',
      deprecated: true,
    },
    events: { type: 'array', items: { $ref: 'OwnEvent' }, description: 'The last 1,000, newest first.' },
    known_networks: {
      type: 'array',
      items: knownNetwork,
      description:
        'The first and last login from each network; only keyed hashes of the networks are stored.',
    },
    active_days: {
      type: 'array',
      items: { type: 'string', format: 'date' },
      description: 'Days in UTC on which a token was used, within 90 days.',
    },
    pending_messages: { type: 'array', items: pendingMessage, description: 'Emails that wait to be sent.' },
    messages: {
      type: 'array',
      items: endedMessage,
      description: 'Emails of the last 30 days that were sent or were not to be sent, without their texts.',
    },
    pending_links: { type: 'array', items: pendingLink, description: 'Links in sent emails.' },
    stored_responses: {
      type: 'array',
      items: storedResponse,
      description: 'Encrypted responses to requests with an Idempotency-Key.',
    },
  },
} as const satisfies JsonSchema;

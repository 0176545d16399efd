import { SCOPES } from '../../callers/callers.ts';
import {
  dataSchema,
  extendSchema,
  FILLED_PATTERN,
  type JsonSchema,
  recordSchema,
} from '../../lib/schema/json-schema.ts';
import { idParameters } from '../../lib/schema/query-parameters.ts';
import { MAX_LIFETIME_SECONDS } from '../people/tokens/create-token.ts';
import { ALGORITHMS } from '../people/tokens/signing-keys/queries.ts';
import { nullableText, nullableTimestamp, timestamp, uuid } from '../users/records/member-schemas.ts';
import { APPLICATION_KINDS } from './redirect-uris.ts';

const uris = { type: 'array', maxItems: 20, items: { type: 'string', maxLength: 2_048 } } as const;
const URI_RULES =
  'Compared as a whole: `https`, `http` of localhost, 127.0.0.1 or [::1] (of the literals, any port matches), or a private-use scheme with a dot for `public`; no user, fragment or wildcard.';

const members = {
  name: {
    type: 'string',
    maxLength: 100,
    pattern: FILLED_PATTERN,
    'x-visible': true,
    'x-trim': true,
    'x-filled': true,
    description: 'Shown to people when they sign in, and the name of its tokens. Unique.',
  },
  redirect_uris: {
    ...uris,
    minItems: 1,
    'x-filled': true,
    description: `Where people return to after they have signed in. ${URI_RULES}`,
  },
  post_logout_redirect_uris: {
    ...uris,
    description: `Where people return to after they have signed out. ${URI_RULES}`,
  },
  scopes: {
    type: 'array',
    items: { type: 'string', enum: SCOPES },
    description:
      'What its tokens may permit in this API if a request names it, besides the claims about the person; none if empty. `self:read` if absent.',
  },
  token_lifetime_days: {
    type: ['integer', 'null'],
    minimum: 1,
    maximum: MAX_LIFETIME_SECONDS / 86_400,
    description: 'Lifetime of its tokens; null: as long as those of a login.',
  },
  jwt_audiences: {
    type: 'array',
    maxItems: 50,
    items: { type: 'string', maxLength: 255 },
    description: 'Those of `JWT_AUDIENCES` for which its tokens may get a JSON Web Token. None if absent.',
  },
  id_token_alg: {
    type: 'string',
    enum: ALGORITHMS,
    'x-filled': true,
    description: 'Algorithm of the signatures of ID tokens. All clients know `RS256`, which is the default.',
  },
  require_pkce: {
    type: 'boolean',
    'x-filled': true,
    description:
      'Whether requests without PKCE are rejected although they have a nonce. A public application needs PKCE in any case.',
  },
} as const satisfies Readonly<Record<string, JsonSchema>>;

const kind = {
  type: 'string',
  enum: APPLICATION_KINDS,
  description:
    '`web`: a program on a server, which has a secret. `public`: a page, a mobile or a desktop program, which cannot keep one.',
} as const satisfies JsonSchema;

export const applicationSchema = {
  $id: 'Application',
  ...recordSchema({
    id: { ...uuid, description: 'The `client_id`.' },
    ...members,
    kind,
    first_characters: {
      ...nullableText,
      description: 'The start of the secret, to recognise it; null without one.',
    },
    created_at: timestamp,
    updated_at: timestamp,
    rotated_at: { ...nullableTimestamp, description: 'Time of the last rotation of the secret.' },
    previous_until: {
      ...nullableTimestamp,
      description: 'Until then, the secret before the last rotation is accepted, too.',
    },
    version: { type: 'integer', minimum: 1, description: 'The number in the ETag.' },
  }),
} as const satisfies JsonSchema;

const client_secret = {
  ...nullableText,
  description: 'The secret of a web application. Shown once; only its hash is stored.',
} as const;

export const newApplicationSchema = dataSchema({
  ...extendSchema(applicationSchema, { client_secret }),
  title: 'NewApplication',
});
export const applicationResponseSchema = dataSchema({ $ref: 'Application' });
export const applicationListSchema = dataSchema({ type: 'array', items: { $ref: 'Application' } });
export const applicationIdSchema = idParameters({ id: 'Id of an application.' });

export const createApplicationSchema = {
  type: 'object',
  required: ['name', 'kind', 'redirect_uris'],
  additionalProperties: false,
  properties: { ...members, kind },
} as const satisfies JsonSchema;

export const updateApplicationSchema = {
  type: 'object',
  additionalProperties: false,
  properties: members,
} as const satisfies JsonSchema;

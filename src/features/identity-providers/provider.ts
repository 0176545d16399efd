/** The record of an identity provider: its row, its schemas, what the API shows of it, and examples. */
import { dataSchema, FILLED_PATTERN, type JsonSchema, recordSchema } from '../../lib/schema/json-schema.ts';
import { exampleId as id, idParameters } from '../../lib/schema/query-parameters.ts';
import { formatTimes } from '../../lib/time.ts';
import { readScopes } from '../people/tokens/scopes.ts';
import { nullableText, text, timestamp, uuid } from '../users/records/member-schemas.ts';

export const PROVIDER_KINDS = ['oidc', 'github'] as const;

/** Times in epoch milliseconds; `trust_email` and `enabled` are 1 or 0. */
export interface ProviderRow {
  readonly id: string;
  readonly name: string;
  readonly kind: (typeof PROVIDER_KINDS)[number];
  readonly issuer: string;
  readonly client_id: string;
  /** Encrypted, bound to the id. */
  readonly client_secret: Uint8Array;
  /** Separated by spaces. */
  readonly scopes: string;
  readonly trust_email: number;
  readonly enabled: number;
  readonly created_at: number;
  readonly updated_at: number;
  readonly version: number;
}

export const CHECK_STEPS = [
  'metadata',
  'issuer',
  'algorithms',
  'keys',
  'claims',
  'client',
  'redirect_uri',
] as const;
export const CHECK_STATUSES = ['ok', 'warning', 'failed'] as const;

const filled = { type: 'string', maxLength: 255, pattern: FILLED_PATTERN, 'x-trim': true } as const;

const members = {
  name: { ...filled, maxLength: 60, description: 'Name on the button of the sign-in page.' },
  issuer: {
    ...filled,
    maxLength: 2_048,
    description:
      'The issuer, letter by letter as the metadata of the provider names it: an https URL that leads to a public address. Networks of `WEBHOOK_ALLOW` are permitted, too, also by http. For `github`, the URL of the server; `https://github.com` if absent.',
  },
  client_id: filled,
  scopes: {
    type: 'array',
    maxItems: 20,
    items: { type: 'string', minLength: 1, maxLength: 100, pattern: String.raw`^[\x21\x23-\x5b\x5d-\x7e]+$` },
    description:
      'Scopes that are requested. Default: `openid`, which is always requested, `email` and `profile`; for `github`, `read:user` and `user:email`.',
  },
  trust_email: {
    type: 'boolean',
    description:
      'Whether every email of the provider counts as verified, whatever it says. Only for providers that let nobody use an address before it was verified.',
  },
  enabled: { type: 'boolean', description: 'Whether people can sign in with it.' },
} as const satisfies Record<string, JsonSchema>;

const kind = { type: 'string', enum: PROVIDER_KINDS, description: 'OpenID Connect, or GitHub.' } as const;

export const identityProviderSchema = {
  $id: 'IdentityProvider',
  ...recordSchema({
    id: uuid,
    ...members,
    kind,
    redirect_uri: { ...text, description: 'To be registered at the provider.' },
    created_at: timestamp,
    updated_at: timestamp,
    version: { type: 'integer', minimum: 1, description: 'The number in the ETag.' },
  }),
} as const satisfies JsonSchema;

export const providerResponseSchema = dataSchema({ $ref: 'IdentityProvider' });
export const providerListSchema = dataSchema({ type: 'array', items: { $ref: 'IdentityProvider' } });

const client_secret = {
  ...filled,
  maxLength: 4_096,
  description: 'Stored encrypted, and never returned.',
} as const;

export const createProviderSchema = {
  type: 'object',
  required: ['name', 'kind', 'client_id', 'client_secret'],
  additionalProperties: false,
  properties: { ...members, kind, client_secret },
} as const satisfies JsonSchema;

export const updateProviderSchema = {
  type: 'object',
  additionalProperties: false,
  properties: { ...members, client_secret },
} as const satisfies JsonSchema;

export const providerIdSchema = idParameters({ id: 'Id of an identity provider.' });

export const checkListSchema = dataSchema({
  type: 'array',
  items: recordSchema({
    step: { type: 'string', enum: CHECK_STEPS },
    status: { type: 'string', enum: CHECK_STATUSES },
    message: text,
  }),
});

export const identityListSchema = dataSchema({
  type: 'array',
  items: {
    title: 'Identity',
    ...recordSchema({
      id: uuid,
      provider: {
        ...nullableText,
        description: 'Name of the identity provider; null if there is none of this issuer any more.',
      },
      issuer: text,
      subject: { ...text, description: 'Id of the account at the issuer.' },
      email: { ...nullableText, description: 'The email there, as of the last sign-in.' },
      created_at: timestamp,
      last_used_at: timestamp,
    }),
  },
});

/** Returns the URL of the callback. */
export const toRedirectUri = (origin: string, providerId: string) =>
  `${origin}/sign-in/callback/${providerId}`;

/** Returns a provider as the API shows it, without its secret. */
export function providerView({ client_secret: _, ...row }: ProviderRow, origin: string) {
  return {
    ...formatTimes(row, ['created_at', 'updated_at']),
    scopes: readScopes(row.scopes),
    trust_email: row.trust_email === 1,
    enabled: row.enabled === 1,
    redirect_uri: toRedirectUri(origin, row.id),
  };
}

const at = '2026-01-05T09:30:00.000Z';

const settings = {
  name: 'Example University',
  kind: 'oidc',
  issuer: 'https://login.example.edu',
  client_id: 'frontdesk',
};

const newProvider = { ...settings, client_secret: 'a-secret-of-the-description-only' };

const provider = {
  ...{ id, ...settings, scopes: ['openid', 'email', 'profile'], trust_email: false, enabled: true },
  redirect_uri: `https://accounts.example.com/sign-in/callback/${id}`,
  ...{ created_at: at, updated_at: at, version: 1 },
};

const checks = {
  message: 'Identity provider checked',
  data: [
    {
      step: 'metadata',
      status: 'ok',
      message: 'https://login.example.edu/.well-known/openid-configuration was read.',
    },
    {
      step: 'issuer',
      status: 'failed',
      message: 'The metadata names "https://login.example.edu/": use its spelling.',
    },
  ],
};

const identities = {
  message: 'Identities list',
  data: [
    {
      ...{ id, provider: settings.name, issuer: settings.issuer, subject: '248289761001' },
      ...{ email: 'ada@example.edu', created_at: at, last_used_at: at },
    },
  ],
};

/** Examples of the OpenAPI description. A test validates them against the schemas. */
export const examples = { newProvider, provider, checks, identities };

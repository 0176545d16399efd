/** The record of an application: its row, its schemas, what the API shows of it, and examples. */
import { SCOPES } from '../../callers/callers.ts';
import * as json from '../../lib/schema/json-schema.ts';
import { exampleId as id, idParameters } from '../../lib/schema/query-parameters.ts';
import { formatTimes, optionalTimestamp } from '../../lib/time.ts';
import { MAX_LIFETIME_SECONDS } from '../people/tokens/create-token.ts';
import { readScopes } from '../people/tokens/scopes.ts';
import { ALGORITHMS, type Algorithm } from '../people/tokens/signing-keys/queries.ts';
import { nullableText, nullableTimestamp, timestamp, uuid } from '../users/records/member-schemas.ts';
import * as programs from './program-settings.ts';
import { APPLICATION_KINDS, type ApplicationKind } from './redirect-uris.ts';

export const MAX_APPLICATIONS = 100;

/** An application without its secrets. Times in epoch milliseconds. */
export interface ApplicationRow extends programs.ProgramSettings {
  /** The `client_id`. */
  readonly id: string;
  readonly name: string;
  /** No two applications have the same. */
  readonly name_key: string;
  readonly kind: ApplicationKind;
  /** JSON arrays. */
  readonly redirect_uris: string;
  readonly post_logout_redirect_uris: string;
  /** Scopes of its tokens, separated by spaces. */
  readonly scopes: string;
  /** Null: as long as those of a sign-in. */
  readonly token_lifetime_days: number | null;
  /** JSON array: audiences for which its tokens may get a JSON Web Token. */
  readonly jwt_audiences: string;
  readonly id_token_alg: Algorithm;
  /** 1 or 0: whether it has to use PKCE although it has a secret. */
  readonly require_pkce: number;
  /** JSON array: ids of the groups whose members may sign in, also of deleted ones; null: everybody. */
  readonly allowed_groups: string | null;
  /** The start of the current secret; null without one. */
  readonly first_characters: string | null;
  readonly created_at: number;
  readonly updated_at: number;
  readonly rotated_at: number | null;
  /** Time until which the secret before the last rotation is accepted, too. */
  readonly previous_until: number | null;
  readonly version: number;
}

const uris = { type: 'array', maxItems: 20, items: { type: 'string', maxLength: 2_048 } } as const;
const URI_RULES =
  'Compared as a whole: `https`, `http` of localhost, 127.0.0.1 or [::1] (of the literals, any port matches), or a private-use scheme with a dot for `public`; no user, fragment or wildcard.';

const members = {
  name: {
    ...json.visibleName,
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
    description: 'Lifetime of its tokens; null: as long as those of a sign-in.',
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
    ...programs.flag,
    description:
      'Whether requests without PKCE are rejected although they have a nonce. A public application needs PKCE in any case.',
  },
  ...programs.programMembers,
  allowed_groups: {
    ...{ type: ['array', 'null'], maxItems: 50, items: { type: 'string', maxLength: 255 } },
    description:
      'Ids of the groups whose members may sign in to it; null, which is the default: everybody. Nobody if it is empty. A group that is deleted stays in it, and has no members. The tokens of others end at once, on every node.',
  },
} as const satisfies Readonly<Record<string, json.JsonSchema>>;

const kind = {
  type: 'string',
  enum: APPLICATION_KINDS,
  description:
    '`web`: a program on a server, which has a secret. `public`: a page, a mobile or a desktop program, which cannot keep one.',
} as const satisfies json.JsonSchema;

export const applicationSchema = {
  $id: 'Application',
  ...json.recordSchema({
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
} as const satisfies json.JsonSchema;

const client_secret = {
  ...nullableText,
  description: 'The secret of a web application. Shown once; only its hash is stored.',
} as const;

export const newApplicationSchema = json.dataSchema({
  ...json.extendSchema(applicationSchema, { client_secret }),
  title: 'NewApplication',
});
export const applicationResponseSchema = json.dataSchema({ $ref: 'Application' });
export const applicationListSchema = json.dataSchema({ type: 'array', items: { $ref: 'Application' } });
export const applicationIdSchema = idParameters({ id: 'Id of an application.' });

export const createApplicationSchema = json.closedSchema(['name', 'kind', 'redirect_uris'], {
  ...members,
  kind,
});

export const updateApplicationSchema = json.closedSchema([], members);

/** Returns an application as the API shows it, without its secret. */
export function applicationView(application: ApplicationRow, now: number) {
  const { redirect_uris, post_logout_redirect_uris, scopes, jwt_audiences } = application;
  const { require_pkce, allowed_groups, previous_until } = application;
  const isOverlapping = previous_until !== null && previous_until > now;
  return {
    ...formatTimes(application, ['created_at', 'updated_at', 'rotated_at']),
    redirect_uris: JSON.parse(redirect_uris) as string[],
    post_logout_redirect_uris: JSON.parse(post_logout_redirect_uris) as string[],
    scopes: readScopes(scopes),
    jwt_audiences: JSON.parse(jwt_audiences) as string[],
    require_pkce: require_pkce === 1,
    ...programs.programView(application),
    allowed_groups: allowed_groups === null ? null : (JSON.parse(allowed_groups) as string[]),
    previous_until: optionalTimestamp(isOverlapping ? previous_until : null),
  };
}

const newApplication = {
  name: 'Wiki',
  kind: 'web',
  redirect_uris: ['https://wiki.example.com/callback'],
  post_logout_redirect_uris: ['https://wiki.example.com/'],
};

const application = {
  id,
  ...newApplication,
  scopes: ['self:read'],
  token_lifetime_days: null,
  jwt_audiences: [],
  id_token_alg: 'RS256',
  ...{ ...programs.PROGRAM_DEFAULTS, ...programs.programView(programs.PROGRAM_DEFAULTS) },
  ...{ require_pkce: false, allowed_groups: null },
  first_characters: 'fd_app_4fQz1',
  created_at: '2026-01-05T09:30:00.000Z',
  updated_at: '2026-01-05T09:30:00.000Z',
  rotated_at: null,
  previous_until: null,
  version: 1,
};

const created = {
  ...application,
  client_secret: 'fd_app_4fQz1forTheDescriptionOnlyNeverUse000000000000000',
};

/** Examples of the OpenAPI description. A test validates them against the schemas. */
export const examples = {
  newApplication,
  application,
  created,
  rotated: {
    ...created,
    updated_at: '2026-01-06T08:00:00.000Z',
    rotated_at: '2026-01-06T08:00:00.000Z',
    previous_until: '2026-01-07T08:00:00.000Z',
    version: 2,
  },
};

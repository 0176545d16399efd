import { closedSchema, dataSchema, type JsonSchema, recordSchema } from '../../../lib/schema/json-schema.ts';
import { exampleId, idParameters } from '../../../lib/schema/query-parameters.ts';
import {
  appMetadata,
  email,
  level,
  locale,
  MERGED,
  name,
  nullableText,
  nullableTimestamp,
  optionalName,
  optionalPassword,
  role,
  text,
  timestamp,
  userMetadata,
  uuid,
  zoneinfo,
} from './member-schemas.ts';
import { USER_STATES } from './user-counters.ts';

const userRecord = recordSchema({
  id: uuid,
  name: nullableText,
  email: nullableText,
  level: {
    type: ['string', 'null'],
    description: 'Set by the administrator; grants nothing inside this service.',
  },
  locale: {
    type: ['string', 'null'],
    description: 'Language in which the user reads, as a BCP 47 tag; null if it is unknown.',
  },
  zoneinfo: {
    ...nullableText,
    description: 'IANA time zone in which the user reads times; null if it is unknown.',
  },
  role,
  state: { type: 'string', enum: USER_STATES },
  email_verified_at: nullableTimestamp,
  last_login_at: { ...nullableTimestamp, description: 'A login does not change the version.' },
  totp_enabled_at: {
    ...nullableTimestamp,
    description: 'Since when each login needs a code of the second factor; null without one.',
  },
  created_at: timestamp,
  updated_at: timestamp,
  version: { type: 'integer', minimum: 1, description: 'The number in the ETag.' },
  user_metadata: {
    type: 'object',
    additionalProperties: true,
    description: 'Data of the application that the user may write.',
  },
  app_metadata: {
    type: 'object',
    additionalProperties: true,
    description: 'Data of the application that only the administrator may write.',
  },
});

export const userSchema = {
  $id: 'User',
  ...userRecord,
  properties: {
    ...userRecord.properties,
    groups: {
      type: 'array',
      items: text,
      description:
        'To the administrator, and in the own export: the names of the groups of the user, sorted.',
    },
    locked_until: {
      ...timestamp,
      description:
        'Of a single user, to the administrator, while failed sign-ins lock the user out, from anywhere or from a network: until when.',
    },
  },
} as const;

export { exampleId };

export const userIdSchema = idParameters({ id: 'Id of a user.' });

/** The body of a request to create a record without the administrator credential. */
export const unclaimedUserSchema = {
  type: 'object',
  properties: { name: optionalName, email },
} as const satisfies JsonSchema;

/** The body of the same request with the administrator credential. */
export const newUserSchema = closedSchema(['name', 'email'], {
  name,
  email,
  password: optionalPassword,
  level,
  locale,
  zoneinfo,
  role,
  user_metadata: userMetadata,
  app_metadata: appMetadata,
});

const ADMIN_ONLY = 'Read with the administrator credential only.';

/** Both bodies in one, for the description: which members are required, or rejected, depends on the caller. */
export const createUserSchema = {
  type: 'object',
  properties: {
    name: optionalName,
    email,
    password: { ...optionalPassword, description: `${ADMIN_ONLY} ${optionalPassword.description}` },
    level: { ...level, description: ADMIN_ONLY },
    locale: { ...locale, description: `${ADMIN_ONLY} ${locale.description}` },
    zoneinfo: { ...zoneinfo, description: `${ADMIN_ONLY} ${zoneinfo.description}` },
    role: { ...role, description: `${ADMIN_ONLY} ${role.description}` },
    user_metadata: { ...userMetadata, description: `${ADMIN_ONLY} ${userMetadata.description}` },
    app_metadata: { ...appMetadata, description: `${ADMIN_ONLY} ${appMetadata.description}` },
  },
} as const satisfies JsonSchema;

export const updateUserSchema = closedSchema([], {
  name: { ...name, 'x-filled': true },
  email: { ...email, 'x-filled': true },
  level,
  locale,
  zoneinfo,
  role,
  state: { type: 'string', enum: ['active', 'disabled'], 'x-filled': true },
  user_metadata: { ...userMetadata, description: `${userMetadata.description} ${MERGED}` },
  app_metadata: { ...appMetadata, description: `${appMetadata.description} ${MERGED}` },
  version: {
    type: 'integer',
    minimum: Number.MIN_SAFE_INTEGER,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'The version that the change is based on: 409 unless it is the current one.',
  },
});

/** The record, where the caller may see it. */
export const userResponseSchema = {
  type: 'object',
  required: ['message'],
  properties: { message: text, data: { $ref: 'User' } },
} as const satisfies JsonSchema;

export const userRecordSchema = dataSchema({ $ref: 'User' });

/** Anonymous callers get the id of the record, the administrator gets all of it. */
export const createdUserSchema = dataSchema({
  anyOf: [{ $ref: 'User' }, { type: 'object', required: ['id'], properties: { id: uuid } }],
});

export const ifMatchHeader = {
  'If-Match': {
    type: 'string',
    description: 'The ETag of the version that the request is based on, or `*` for any version.',
    examples: ['"1"'],
  },
} as const satisfies Record<string, JsonSchema>;

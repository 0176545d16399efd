import { type TSchema, Type } from '../../lib/schema.ts';
import { USER_STATES } from './queries.ts';

const nullable = (schema: TSchema, options = {}) =>
  Type.Unsafe<string | null>({ ...schema, type: ['string', 'null'], ...options });

export const timestampSchema = Type.String({ format: 'date-time' });
export const nullableTimestampSchema = nullable(timestampSchema);

const nameRules = { maxLength: 255, 'x-trim': true };
const emailRules = { format: 'email', maxLength: 255, 'x-trim': true };
/** At least 8 characters as specified; the upper bound keeps hashing cheap and cuts nothing. */
const passwordRules = { format: 'password', minLength: 8, 'x-maxBytes': 4096 };
const levelRules = { maxLength: 255 };

export const nameSchema = Type.String(nameRules);
export const emailSchema = Type.String(emailRules);
export const passwordSchema = Type.String(passwordRules);

export const userSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    name: nullable(Type.String()),
    email: nullable(Type.String()),
    level: nullable(Type.String(), {
      description: 'Set by the administrator; grants nothing inside this service.',
    }),
    state: Type.Enum(USER_STATES),
    email_verified_at: nullableTimestampSchema,
    created_at: timestampSchema,
    updated_at: timestampSchema,
    version: Type.Integer({ minimum: 1, description: 'The number in the ETag.' }),
  },
  { $id: 'User' },
);

export const userIdSchema = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 255, description: 'The id of a user.' }),
});

/** What anybody may send when making an unclaimed record. */
export const unclaimedUserSchema = Type.Object({
  name: Type.Optional(nameSchema),
  email: Type.Optional(emailSchema),
});

/** What the administrator sends. */
export const newUserSchema = Type.Object({
  name: nameSchema,
  email: emailSchema,
  password: Type.Optional(passwordSchema),
  level: Type.Optional(nullable(Type.String(levelRules))),
});

/** The two together, as the description shows them: what is required depends on who calls. */
export const createUserSchema = Type.Object({
  name: Type.Optional(nameSchema),
  email: Type.Optional(emailSchema),
  password: Type.Optional(
    Type.String({ ...passwordRules, description: 'Looked at with the administrator credential only.' }),
  ),
  level: Type.Optional(
    nullable(Type.String(levelRules), {
      description: 'Looked at with the administrator credential only.',
    }),
  ),
});

export const updateUserSchema = Type.Object({
  name: Type.Optional(Type.String({ ...nameRules, 'x-filled': true })),
  email: Type.Optional(Type.String({ ...emailRules, 'x-filled': true })),
  level: Type.Optional(nullable(Type.String(levelRules))),
  state: Type.Optional(Type.Enum(['active', 'disabled'], { 'x-filled': true })),
  version: Type.Optional(
    Type.Integer({
      description: 'When given, it has to be the current version (409 otherwise).',
    }),
  ),
});

/** The one record, or nothing of it, depending on who asks. */
export const userResponseSchema = Type.Object({
  message: Type.String(),
  data: Type.Optional(Type.Ref('User')),
});

export const userListSchema = Type.Object({
  message: Type.String(),
  data: Type.Optional(Type.Array(Type.Ref('User'))),
  next_cursor: Type.Optional(nullable(Type.String())),
});

/** A stranger learns the id of the record, the administrator the whole of it. */
export const createdUserSchema = Type.Object({
  message: Type.String(),
  data: Type.Union(Type.Ref('User'), Type.Object({ id: Type.String({ format: 'uuid' }) })),
});

export const listParameters = {
  limit: Type.Integer({
    minimum: 0,
    default: 20,
    description: 'Records on a page: 1 to 100. 0 means 20, more than 100 means 100.',
  }),
  cursor: Type.String({ description: 'Where the page begins: the `next_cursor` of the page before.' }),
  email: Type.String({ description: 'Only the records with exactly this address, ignoring case.' }),
  state: Type.Enum(USER_STATES),
};

export const ifMatchHeader = {
  'If-Match': Type.String({ description: 'The ETag of the record that the change is based on, or `*`.' }),
};

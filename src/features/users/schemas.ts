import { type TSchema, Type } from '../../lib/schema.ts';
import { USER_STATES } from './queries.ts';

const nullable = (schema: TSchema, options = {}) =>
  Type.Unsafe<string | null>({ ...schema, type: ['string', 'null'], ...options });

export const timestampSchema = Type.String({ format: 'date-time' });
export const nullableTimestampSchema = nullable(timestampSchema);

/** Text that both engines can store: without U+0000. */
const STORABLE = String.raw`^[^\x00]*$`;
/** The same, with at least one character that is not white space. Written so that a match takes linear time. */
export const FILLED_PATTERN = String.raw`^\s*[^\s\x00][^\x00]*$`;
/** At least one character that is not white space. */
export const NOT_BLANK_PATTERN = String.raw`\S`;

const nameRules = {
  maxLength: 255,
  pattern: STORABLE,
  'x-trim': true,
  description: 'Surrounding white space is removed.',
};
const emailRules = {
  format: 'email',
  maxLength: 255,
  'x-trim': true,
  description: 'An address as the HTML element `<input type=email>` accepts it.',
};
/** At least 8 characters as specified; the upper bound limits the cost of hashing and truncates nothing. */
const passwordRules = {
  format: 'password',
  minLength: 8,
  'x-maxBytes': 4096,
  description: 'At most 4096 bytes as UTF-8 in normalization form C.',
};
const levelRules = { maxLength: 255, pattern: STORABLE };
const filledNameRules = {
  ...nameRules,
  pattern: FILLED_PATTERN,
  description: `Must not be blank. ${nameRules.description}`,
};

export const nameSchema = Type.String(filledNameRules);
export const emailSchema = Type.String(emailRules);
export const passwordSchema = Type.String({
  ...passwordRules,
  pattern: NOT_BLANK_PATTERN,
  description: `Must not be blank. ${passwordRules.description}`,
});
const optionalNameSchema = Type.String(nameRules);
const optionalPasswordSchema = Type.String(passwordRules);

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

export const exampleId = '01938c5e-7a00-7b3c-9d1e-2f4a6b8c0d2e';

export const userIdSchema = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 255, description: 'Id of a user.', examples: [exampleId] }),
});

/** The body of a request to create a record without the administrator credential. */
export const unclaimedUserSchema = Type.Object({
  name: Type.Optional(optionalNameSchema),
  email: Type.Optional(emailSchema),
});

/** The body of the same request with the administrator credential. */
export const newUserSchema = Type.Object({
  name: nameSchema,
  email: emailSchema,
  password: Type.Optional(optionalPasswordSchema),
  level: Type.Optional(nullable(Type.String(levelRules))),
});

/** Both bodies in one, for the description: which members are required depends on the caller. */
export const createUserSchema = Type.Object({
  name: Type.Optional(optionalNameSchema),
  email: Type.Optional(emailSchema),
  password: Type.Optional(
    Type.String({
      ...passwordRules,
      description: `Read with the administrator credential only. ${passwordRules.description}`,
    }),
  ),
  level: Type.Optional(
    nullable(Type.String(levelRules), {
      description: 'Read with the administrator credential only.',
    }),
  ),
});

export const updateUserSchema = Type.Object({
  name: Type.Optional(Type.String({ ...filledNameRules, 'x-filled': true })),
  email: Type.Optional(Type.String({ ...emailRules, 'x-filled': true })),
  level: Type.Optional(nullable(Type.String(levelRules))),
  state: Type.Optional(Type.Enum(['active', 'disabled'], { 'x-filled': true })),
  version: Type.Optional(
    Type.Integer({
      minimum: Number.MIN_SAFE_INTEGER,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'The version that the change is based on: 409 unless it is the current one.',
    }),
  ),
});

/** The record, where the caller may see it. */
export const userResponseSchema = Type.Object({
  message: Type.String(),
  data: Type.Optional(Type.Ref('User')),
});

export const userListSchema = Type.Object({
  message: Type.String(),
  data: Type.Optional(Type.Array(Type.Ref('User'))),
  next_cursor: Type.Optional(nullable(Type.String())),
});

/** Anonymous callers get the id of the record, the administrator gets all of it. */
export const createdUserSchema = Type.Object({
  message: Type.String(),
  data: Type.Union(Type.Ref('User'), Type.Object({ id: Type.String({ format: 'uuid' }) })),
});

export const listParameters = {
  limit: Type.Integer({
    minimum: 0,
    default: 20,
    description: 'Records per page: 1 to 100. 0 means 20, more than 100 means 100.',
  }),
  cursor: Type.String({
    minLength: 1,
    description: 'Position of the page: `next_cursor` of the previous page, requested with the same filters.',
  }),
  email: Type.String({
    pattern: STORABLE,
    description: 'Returns the records with exactly this address, ignoring case and surrounding white space.',
  }),
  state: Type.Enum(USER_STATES, { description: 'Returns the records in this state.' }),
};

export const ifMatchHeader = {
  'If-Match': Type.String({
    description: 'The ETag of the version that the request is based on, or `*` for any version.',
    examples: ['"1"'],
  }),
};

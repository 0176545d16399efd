import { Type } from '../../lib/schema.ts';
import {
  emailSchema,
  FILLED_PATTERN,
  NOT_BLANK_PATTERN,
  nameSchema,
  passwordSchema,
} from '../users/schemas.ts';

export const registerSchema = Type.Object({
  name: nameSchema,
  email: emailSchema,
  password: passwordSchema,
  level: Type.Optional(
    Type.Unknown({
      'x-ignored': true,
      deprecated: true,
      description:
        'Accepted and ignored, whatever its value. Only the administrator sets the level of a user.',
    }),
  ),
});

/** Without the rules of registration: a login must not reveal what passwords look like here. */
export const loginSchema = Type.Object({
  email: Type.String({ pattern: FILLED_PATTERN, description: 'Must not be blank.' }),
  password: Type.String({
    format: 'password',
    pattern: NOT_BLANK_PATTERN,
    description: 'Must not be blank.',
  }),
});

const tokenMembers = {
  access_token: Type.String({ description: 'Shown once; only its hash is stored.' }),
  token_type: Type.Enum(['Bearer']),
};
const tokenResponseMembers = {
  ...tokenMembers,
  expires_in: Type.Integer({ description: 'Seconds until the token expires.' }),
};

export const tokenResponseSchema = Type.Object(tokenResponseMembers);

/** The token twice, because clients read either place; the top level is the canonical one. */
export const registeredSchema = Type.Object({
  ...tokenResponseMembers,
  data: Type.Object(tokenMembers, { description: 'The same token again, for clients that read it here.' }),
});

export const currentUserSchema = Type.Object({ message: Type.String(), data: Type.Ref('User') });

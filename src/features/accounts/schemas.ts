import { Type } from '../../lib/schema.ts';
import { emailSchema, nameSchema, passwordSchema } from '../users/schemas.ts';

export const registerSchema = Type.Object({
  name: nameSchema,
  email: emailSchema,
  password: passwordSchema,
  level: Type.Optional(
    Type.Unknown({
      'x-ignored': true,
      deprecated: true,
      description:
        'Accepted and ignored, whatever it is: binding it would let people choose their own privileges. Only the administrator sets the level of a user.',
    }),
  ),
});

/** No rule of length or form: a login must not tell what passwords look like here. */
export const loginSchema = Type.Object({
  email: Type.String(),
  password: Type.String({ format: 'password' }),
});

const tokenMembers = {
  access_token: Type.String({ description: 'Shown once; only its hash is stored.' }),
  token_type: Type.Enum(['Bearer']),
};
const answerMembers = {
  ...tokenMembers,
  expires_in: Type.Integer({ description: 'Seconds until the token expires.' }),
};

export const tokenResponseSchema = Type.Object(answerMembers);

/** The same token at both places at which clients look for it; the top level is the canonical one. */
export const registeredSchema = Type.Object({
  ...answerMembers,
  data: Type.Object(tokenMembers, { description: 'A copy for clients that read the members here.' }),
});

export const currentUserSchema = Type.Object({ message: Type.String(), data: Type.Ref('User') });

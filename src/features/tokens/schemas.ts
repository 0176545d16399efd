import { Type } from '../../lib/schema.ts';
import { exampleId, nullableTimestampSchema, timestampSchema } from '../users/schemas.ts';

export const tokenSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    name: Type.String(),
    scopes: Type.Array(Type.String()),
    created_at: timestampSchema,
    last_used_at: nullableTimestampSchema,
    expires_at: timestampSchema,
    current: Type.Boolean({ description: 'Whether it is the token of this request.' }),
  },
  { $id: 'Token' },
);

export const tokenListSchema = Type.Object({ message: Type.String(), data: Type.Array(Type.Ref('Token')) });

export const tokenIdSchema = Type.Object({
  id: Type.String({
    minLength: 1,
    maxLength: 255,
    description: 'Id of a token, from the list of tokens.',
    examples: [exampleId],
  }),
});

export const messageSchema = Type.Object({ message: Type.String() });

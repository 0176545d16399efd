/** Components of the description that the tests of the reference render. */
export const schema = (name: string) => ({ $ref: `#/components/schemas/${name}` });
export const json = (content: object) => ({ 'application/json': content });

export const components = {
  securitySchemes: {
    userToken: { type: 'http', scheme: 'bearer' },
    adminToken: { type: 'http', scheme: 'bearer' },
  },
  headers: { 'X-Request-Id': { description: 'Id of the request', schema: { type: 'string' } } },
  examples: {
    email_taken: {
      summary: 'The email has already been taken.',
      value: { error: 'The email has already been taken.', code: 'email_taken' },
    },
  },
  responses: {
    EmailTaken: {
      description: 'Conflict: `email_taken`',
      headers: { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } },
      content: json({
        schema: schema('Problem'),
        examples: { email_taken: { $ref: '#/components/examples/email_taken' } },
      }),
    },
  },
  parameters: {
    IdempotencyKey: {
      name: 'Idempotency-Key',
      in: 'header',
      description: 'A repeated request with the same key gets the stored response.',
      schema: { type: 'string', maxLength: 255 },
    },
  },
  schemas: {
    Registration: {
      type: 'object',
      required: ['name', 'email', 'password'],
      properties: {
        name: { type: 'string', maxLength: 255, description: 'Display name.' },
        email: { type: 'string', format: 'email', maxLength: 255 },
        password: { type: 'string', minLength: 8, writeOnly: true },
        level: { description: 'Accepted and ignored.', deprecated: true },
      },
    },
    Token: {
      type: 'object',
      required: ['access_token', 'token_type'],
      properties: { access_token: { type: 'string' }, token_type: { const: 'Bearer' } },
    },
    User: {
      allOf: [
        { type: 'object', required: ['id'], properties: { id: { type: 'string', format: 'uuid' } } },
        {
          properties: {
            level: { type: ['string', 'null'], maxLength: 255, description: 'Set by the administrator.' },
            invited_by: {
              anyOf: [schema('User'), { type: 'null' }],
              description: 'The user who sent the invitation.',
            },
          },
        },
      ],
    },
    Form: {
      type: 'object',
      required: ['fields'],
      properties: { fields: { type: 'array', minItems: 1, items: schema('Field') } },
    },
    Field: {
      type: 'object',
      required: ['label', 'type', 'is_required'],
      properties: {
        label: { type: 'string', minLength: 3, maxLength: 50, pattern: '^[a-zA-Z0-9_-]+$' },
        type: { enum: ['text', 'number', 'email', 'date', 'checkbox'] },
        language: { enum: 'bg cs da de el en es et fi fr ga hr hu'.split(' ') },
        is_required: { type: 'boolean' },
        children: { type: 'array', items: schema('Field') },
      },
    },
    Problem: {
      type: 'object',
      required: ['error', 'code'],
      properties: { error: { type: 'string' }, code: { type: 'string' } },
    },
    Itself: { $ref: '#/components/schemas/Itself' },
    OwnPart: { allOf: [schema('OwnPart')], anyOf: [schema('OwnPart')] },
  },
};

/** The description that the tests of the reference render. */
const bearer = (name: string, scopes: string[] = []) => [{ [name]: scopes }];
const schema = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const json = (content: object) => ({ 'application/json': content });
const errorResponses = (description: string, codes: Record<string, string>) => ({
  description,
  content: json({
    schema: schema('Problem'),
    examples: Object.fromEntries(
      Object.entries(codes).map(([code, error]) => [code, { summary: error, value: { error, code } }]),
    ),
  }),
});

/** A description with one of everything that the reference renders. */
export const openapi = {
  openapi: '3.1.0',
  info: {
    title: 'Example API',
    version: '1.4.0',
    description:
      'Accounts, tokens and forms behind one JSON API.\n\nErrors carry a stable `code`: see [problems](/docs/problems).\n\n' +
      '<img src="https://elsewhere.invalid/x" onerror="document.title = \'broken\'">',
  },
  tags: [
    { name: 'Accounts', description: 'People register, sign in and read who they are.' },
    { name: 'Users', description: 'The administrator sees everybody.' },
    { name: 'Forms', description: 'Form definitions and what is wrong with them.' },
  ],
  security: bearer('userToken'),
  paths: {
    '/api/register': {
      post: {
        operationId: 'register',
        tags: ['Accounts'],
        summary: 'Register an account',
        description:
          'Creates the account and its first token.\n\n- `email` is unique\n- the token is shown once',
        security: [],
        'x-access': 'public',
        parameters: [{ $ref: '#/components/parameters/IdempotencyKey' }],
        requestBody: {
          required: true,
          content: json({
            schema: schema('Registration'),
            example: { name: "Ada O'Neil", email: 'ada@example.com', password: 'correct horse' },
          }),
        },
        responses: {
          201: {
            description: 'The account exists',
            headers: {
              Location: { description: 'URL of it', schema: { type: 'string', format: 'uri-reference' } },
              'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' },
            },
            content: json({
              schema: schema('Token'),
              example: { access_token: 'fd_8Jq2', token_type: 'Bearer' },
            }),
          },
          400: errorResponses('The body is not valid', {
            invalid_payload: 'Invalid request payload',
            validation_failed: 'The given data was invalid.',
          }),
          409: { $ref: '#/components/responses/EmailTaken' },
        },
      },
    },
    '/api/v1/me': {
      get: {
        operationId: 'readMe',
        tags: ['Accounts'],
        summary: 'Read the signed-in user',
        security: [{ userToken: ['profile:read'] }],
        responses: { 200: { description: 'The user', content: json({ schema: schema('User') }) } },
      },
    },
    '/api/v1/users/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } }],
      get: {
        operationId: 'readUser',
        tags: ['Users'],
        summary: 'Read a user',
        'x-access': 'admin',
        security: bearer('adminToken'),
        responses: {
          200: { description: 'The user', content: json({ schema: schema('User') }) },
          404: errorResponses('No such user', { user_not_found: 'User not found' }),
        },
      },
      delete: {
        operationId: 'deleteUser',
        tags: ['Users'],
        summary: 'Delete a user',
        deprecated: true,
        security: bearer('adminToken'),
        responses: {
          204: { description: 'Gone' },
          default: {
            description: 'Anything',
            content: json({ schema: { oneOf: [schema('Itself'), schema('OwnPart')] } }),
          },
        },
      },
    },
    '/api/v1/forms/validate': {
      post: {
        operationId: 'validateForm',
        tags: ['Forms'],
        summary: 'Check form fields',
        'x-access': 'optional',
        security: [{}, { userToken: [] }],
        parameters: [
          { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 } },
        ],
        requestBody: { content: json({ schema: schema('Form') }) },
        responses: {
          200: {
            description: 'What is wrong',
            content: json({ schema: { type: 'array', items: { type: 'string' } } }),
          },
        },
      },
    },
  },
  components: {
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
          name: { type: 'string', maxLength: 255, description: 'What the person is called.' },
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
              invited_by: { anyOf: [schema('User'), { type: 'null' }], description: 'Who asked them in.' },
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
  },
};

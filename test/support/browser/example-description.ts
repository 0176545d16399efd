/** OpenAPI description that the tests of the reference render: it has one of everything that the reference shows. */
import { components, json, schema } from './example-components.ts';

const bearer = (name: string, scopes: string[] = []) => [{ [name]: scopes }];
const errorResponses = (description: string, codes: Record<string, string>) => ({
  description,
  content: json({
    schema: schema('Problem'),
    examples: Object.fromEntries(
      Object.entries(codes).map(([code, error]) => [code, { summary: error, value: { error, code } }]),
    ),
  }),
});

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
    { name: 'Accounts', description: 'Registration, login and the current user.' },
    { name: 'Users', description: 'User records, for the administrator.' },
    { name: 'Forms', description: 'Validation of form definitions.' },
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
          204: { description: 'Deleted' },
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
            description: 'The failures',
            content: json({ schema: { type: 'array', items: { type: 'string' } } }),
          },
        },
      },
    },
  },
  components,
};

/** Schemas of the stock server: Ajv checks the form, fast-json-stringify writes the responses. */
const nullableString = { type: ['string', 'null'] };
const string = { type: 'string' };
const object = { type: 'object', additionalProperties: true };

const user = {
  type: 'object',
  properties: {
    id: string,
    name: nullableString,
    email: nullableString,
    level: nullableString,
    state: string,
    locale: nullableString,
    zoneinfo: nullableString,
    role: nullableString,
    email_verified_at: nullableString,
    last_login_at: nullableString,
    totp_enabled_at: nullableString,
    created_at: string,
    updated_at: string,
    version: { type: 'integer' },
    user_metadata: object,
    app_metadata: object,
    groups: { type: 'array', items: string },
  },
};

const message = { type: 'string' };

export const userSchema = {
  response: { 200: { type: 'object', properties: { message, data: user } } },
};

export const listSchema = {
  querystring: {
    type: 'object',
    properties: {
      limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
      cursor: { type: 'string', default: '' },
    },
  },
  response: {
    200: {
      type: 'object',
      properties: { message, data: { type: 'array', items: user }, next_cursor: nullableString },
    },
  },
};

export const formSchema = {
  body: {
    type: 'object',
    required: ['fields'],
    properties: {
      fields: {
        type: 'array',
        minItems: 1,
        items: {
          type: 'object',
          required: ['label', 'type', 'is_required'],
          properties: {
            label: { type: 'string', minLength: 3, maxLength: 50, pattern: '^[a-zA-Z0-9_-]+$' },
            type: { type: 'string', enum: ['text', 'number', 'email', 'date', 'checkbox'] },
            is_required: { type: 'boolean' },
          },
        },
      },
    },
  },
  response: {
    200: { type: 'object', properties: { errors: { type: 'array', items: { type: 'string' } } } },
  },
};

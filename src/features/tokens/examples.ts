/** Examples of the OpenAPI description. A test validates them against the schemas. */
export const tokenList = {
  message: 'Tokens list',
  data: [
    {
      id: '01938c5e-7a00-7b3c-9d1e-2f4a6b8c0d2e',
      name: 'auth_token',
      scopes: ['self:read', 'self:write', 'tokens:manage'],
      created_at: '2026-01-05T09:30:00.000Z',
      last_used_at: '2026-01-06T07:12:31.000Z',
      expires_at: '2026-02-04T09:30:00.000Z',
      current: true,
    },
  ],
};

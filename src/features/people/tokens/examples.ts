/** Examples of the OpenAPI description. A test validates them against the schemas. */
export const tokenList = {
  message: 'Tokens list',
  data: [
    {
      id: '01938c5e-7a00-7b3c-9d1e-2f4a6b8c0d2e',
      name: 'auth_token',
      first_characters: 'fd_pat_1fQQ2',
      scopes: ['self:read', 'self:write', 'tokens:manage'],
      created_at: '2026-01-05T09:30:00.000Z',
      last_used_at: '2026-01-06T07:12:31.000Z',
      expires_at: '2026-02-04T09:30:00.000Z',
      device: 'Firefox on Windows',
      network: '203.0.113.0/24',
      last_used_network: '203.0.113.0/24',
      current: true,
    },
  ],
};

export const ownToken = { message: 'Token', data: tokenList.data[0] };

export const tokenRequest = { name: 'Backup of the office', scopes: ['self:read'], expires_in: 7_776_000 };

export const created = {
  message: 'Token created',
  data: {
    access_token: 'fd_pat_0Xk3vTqYw8sZb2LrNfGhJd5mPc7uQaEi9oVtRyB4xHn2wAj6k',
    token_type: 'Bearer',
    ...tokenRequest,
    id: '01938c63-0d40-7e51-8a2f-6b1c9d3e5f70',
    first_characters: 'fd_pat_0Xk3v',
    created_at: '2026-01-06T08:00:00.000Z',
    last_used_at: null,
    expires_at: '2026-04-06T08:00:00.000Z',
    device: 'curl/8.9.1',
    network: '203.0.113.0/24',
    last_used_network: null,
    current: false,
  },
};

export const userTokenList = {
  message: tokenList.message,
  data: tokenList.data.map(({ current: _, ...token }) => token),
};

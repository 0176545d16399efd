/** Examples of the OpenAPI description. A test validates them against the schemas. */

export const credentials = { email: 'ada@example.com', password: 'correct horse battery staple' };
export const registration = { name: 'Ada Lovelace', ...credentials };

export const token = {
  access_token: 'fd_pat_1fQQ2DRJLfVhL9r6DXQObt3j2yHn4y2hyBXfmUwMFkS3uTzIp',
  token_type: 'Bearer',
  expires_in: 2_592_000,
};

export const registered = {
  ...token,
  data: { access_token: token.access_token, token_type: token.token_type },
};

export const passwordChange = {
  current_password: credentials.password,
  password: 'paper lantern under the bridge',
};

export const profileChange = { email: 'ada@example.org', current_password: credentials.password };

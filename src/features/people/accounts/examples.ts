/** Examples of the OpenAPI description. A test validates them against the schemas. */

export const credentials = { email: 'ada@example.com', password: 'correct horse battery staple' };
export const registration = { name: 'Ada Lovelace', ...credentials };

export const token = {
  access_token: 'fd_pat_1fQQ2DRJLfVhL9r6DXQObt3j2yHn4y2hyBXfmUwMFkS3uTzIp',
  token_type: 'Bearer',
  expires_in: 2_592_000,
};

/** The challenge of a login that waits for a code. */
export const challenge = '0Xk3vTqYw8sZb2LrNfGhJd5mPc7uQaEi9oVtRyB4xHn';
export const totpCode = '287082';
export const mailedCode = 'K3VT-QYW4';

export const enrolment = {
  secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
  uri: 'otpauth://totp/Frontdesk:ada%40example.com?issuer=Frontdesk&secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&algorithm=SHA1&digits=6&period=30',
};
export const recoveryCodes = ['k3vt-qyw4-sz2l-rnfg-hjd5-mpc7', 'uqae-io6v-try2-bx4h-nwm3-lzpd'];

export const registered = {
  ...token,
  data: { access_token: token.access_token, token_type: token.token_type },
};

export const passwordChange = {
  current_password: credentials.password,
  password: 'paper lantern under the bridge',
};

export const profileChange = { email: 'ada@example.org', current_password: credentials.password };

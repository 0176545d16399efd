/** Response bodies of several cases. */

export const token = { access_token: '<token>', token_type: 'Bearer', expires_in: 2_592_000 };

export const registered = { ...token, data: { access_token: '<token>', token_type: 'Bearer' } };

export const invalidPayload = { error: 'Invalid request payload', code: 'invalid_payload' };

export const invalidLogin = {
  error: 'Invalid login details',
  code: 'invalid_login',
  message: 'Invalid login details',
};

/** Returns an error response with messages by member; its text is the first of them. */
export function invalidInput(errors: Readonly<Record<string, readonly string[]>>) {
  const [first, ...more] = Object.values(errors).flat();
  const endings = ['', ' (and 1 more error)'];
  const message = `${first}${endings[more.length] ?? ` (and ${more.length} more errors)`}`;
  return { error: message, code: 'validation_failed', message, errors };
}

/** Columns that are encrypted by keys derived from SECRET_KEY, by the purpose of the key. */
export const SEALED_COLUMNS = {
  'signing-keys': ['signing_keys.private_key'],
  'webhook-secrets': ['webhook_endpoints.secret', 'webhook_endpoints.previous_secret'],
  'totp-secrets': ['credential_totp.secret', 'user_totp.secret'],
  'identity-provider-secrets': ['identity_providers.client_secret'],
  'mail-contents': ['mail_messages.content'],
} as const;

export type SealPurpose = keyof typeof SEALED_COLUMNS;

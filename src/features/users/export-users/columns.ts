/** Columns of exported users, in their order. */
export const EXPORT_COLUMNS = [
  'id',
  'email',
  'name',
  'level',
  'locale',
  'state',
  'email_verified_at',
  'last_login_at',
  'created_at',
  'updated_at',
  'version',
  'user_metadata',
  'app_metadata',
] as const;

/** Columns of exported users, in their order. */
export const EXPORT_COLUMNS = [
  'id',
  'email',
  'name',
  'level',
  'state',
  'email_verified_at',
  'created_at',
  'updated_at',
  'version',
  'user_metadata',
  'app_metadata',
] as const;

/** Examples of the documentation. */
const adminToken = {
  name: 'ADMIN_TOKEN',
  value: null,
  source: 'environment',
  default: null,
  is_secret: true,
  is_set: true,
  is_changeable: false,
  scope: null,
  format: null,
  group: 'operation',
  title: 'Credential of the first owner',
  meaning: 'Credential of the administrator.',
  docs: '/docs/operations#rotating-the-administrator-credential',
};

const lifetime = {
  name: 'TOKEN_LIFETIME_DAYS',
  value: '30',
  source: 'default',
  default: '30',
  is_secret: false,
  is_set: true,
  is_changeable: true,
  scope: 'settings:write',
  format: { kind: 'integer', choices: null, minimum: 1, maximum: 3650, unit: 'days', can_be_off: false },
  group: 'logins',
  title: 'Time after which tokens expire',
  meaning: 'In days from their creation.',
  docs: '/docs/operations#single-settings',
};

const limits = [{ name: 'anon', quota: 120, window_seconds: 60 }];

export const settings = { message: 'Settings', data: { settings: [adminToken, lifetime], limits } };

export const changes = { TOKEN_LIFETIME_DAYS: '7', INSTANCE_NAME: null };

export const changed = {
  message: 'Settings',
  data: { settings: [{ ...lifetime, value: '7', source: 'database' }], limits },
};

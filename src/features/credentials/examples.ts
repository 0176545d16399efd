/** Examples of the OpenAPI description. A test validates them against the schemas. */
import { exampleId as id } from '../users/records/schemas.ts';

export const newCredential = {
  name: 'newsletter',
  scopes: ['users:read', 'links:send'],
  expires_at: '2027-01-05T00:00:00Z',
  networks: ['192.0.2.0/24'],
};

export const credential = {
  id,
  ...newCredential,
  first_characters: 'fd_svc_4fQz1',
  created_at: '2026-01-05T09:30:00.000Z',
  last_used_at: null,
  rotated_at: null,
  previous_until: null,
  totp_enabled_at: null,
  current: false,
};

const secret = 'fd_svc_4fQz1forTheDescriptionOnlyNeverUse000000000000000';

export const created = { message: 'Credential created', data: { ...credential, credential: secret } };

export const rotated = {
  message: 'Credential rotated',
  data: {
    ...created.data,
    rotated_at: '2026-01-06T08:00:00.000Z',
    previous_until: '2026-01-07T08:00:00.000Z',
  },
};

export const list = { message: 'Credentials list', data: [credential] };
export const response = { message: `Credential ${id}`, data: credential };

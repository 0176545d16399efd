/** Examples of the OpenAPI description. A test validates them against the schemas. */
import { exampleId as id } from '../users/records/schemas.ts';

export const newApplication = {
  name: 'Wiki',
  kind: 'web',
  redirect_uris: ['https://wiki.example.com/callback'],
  post_logout_redirect_uris: ['https://wiki.example.com/'],
};

export const application = {
  id,
  ...newApplication,
  scopes: ['self:read'],
  token_lifetime_days: null,
  jwt_audiences: [],
  id_token_alg: 'RS256',
  require_pkce: false,
  first_characters: 'fd_app_4fQz1',
  created_at: '2026-01-05T09:30:00.000Z',
  updated_at: '2026-01-05T09:30:00.000Z',
  rotated_at: null,
  previous_until: null,
  version: 1,
};

export const created = {
  ...application,
  client_secret: 'fd_app_4fQz1forTheDescriptionOnlyNeverUse000000000000000',
};

export const rotated = {
  ...created,
  updated_at: '2026-01-06T08:00:00.000Z',
  rotated_at: '2026-01-06T08:00:00.000Z',
  previous_until: '2026-01-07T08:00:00.000Z',
  version: 2,
};

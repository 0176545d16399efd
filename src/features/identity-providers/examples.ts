/** Examples of the OpenAPI description. A test validates them against the schemas. */
import { exampleId as id } from '../users/records/schemas.ts';

const at = '2026-01-05T09:30:00.000Z';

const settings = {
  name: 'Example University',
  kind: 'oidc',
  issuer: 'https://login.example.edu',
  client_id: 'frontdesk',
};

export const newProvider = { ...settings, client_secret: 'a-secret-of-the-description-only' };

export const provider = {
  ...{ id, ...settings, scopes: ['openid', 'email', 'profile'], trust_email: false, enabled: true },
  redirect_uri: `https://accounts.example.com/sign-in/callback/${id}`,
  ...{ created_at: at, updated_at: at, version: 1 },
};

export const checks = {
  message: 'Identity provider checked',
  data: [
    {
      step: 'metadata',
      status: 'ok',
      message: 'https://login.example.edu/.well-known/openid-configuration was read.',
    },
    {
      step: 'issuer',
      status: 'failed',
      message: 'The metadata names "https://login.example.edu/": use its spelling.',
    },
  ],
};

export const identities = {
  message: 'Identities list',
  data: [
    {
      ...{ id, provider: settings.name, issuer: settings.issuer, subject: '248289761001' },
      ...{ email: 'ada@example.edu', created_at: at, last_used_at: at },
    },
  ],
};

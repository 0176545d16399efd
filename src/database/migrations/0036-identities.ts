import type { Migration } from './migration.ts';

/** Identity providers, the identities of users at them, and sign-ins that have begun there. */
export const identities: Migration = {
  version: 36,
  name: 'identity providers and identities',
  kind: 'expand',
  statements: ({ key, text, integer, bytes, tableOptions }) => [
    `create table identity_providers (
      id ${key} primary key,
      name ${text} not null,
      kind ${text} not null,
      issuer ${text} not null,
      client_id ${text} not null,
      client_secret ${bytes} not null,
      scopes ${text} not null,
      trust_email ${integer} not null,
      enabled ${integer} not null,
      created_at ${integer} not null,
      updated_at ${integer} not null,
      version ${integer} not null
    ) ${tableOptions}`,
    `create table identities (
      id ${key} primary key,
      user_id ${key} not null references users (id) on delete cascade,
      issuer ${key} not null,
      subject ${key} not null,
      email ${text},
      created_at ${integer} not null,
      last_used_at ${integer} not null
    ) ${tableOptions}`,
    'create unique index identities_subject on identities (issuer, subject)',
    'create index identities_user on identities (user_id, id)',
    `create table upstream_requests (
      state_hash ${key} primary key,
      browser_hash ${key} not null,
      provider_id ${key} not null references identity_providers (id) on delete cascade,
      nonce ${text} not null,
      verifier ${text} not null,
      return_to ${text},
      session_id ${key},
      expires_at ${integer} not null
    ) ${tableOptions}`,
    'create index upstream_requests_provider on upstream_requests (provider_id)',
    'create index upstream_requests_expires_at on upstream_requests (expires_at)',
    // What a provider has said about the person in front of a browser, who has a question to answer first.
    `create table pending_identities (
      browser_hash ${key} primary key,
      provider_id ${key} not null references identity_providers (id) on delete cascade,
      issuer ${text} not null,
      subject ${text} not null,
      email ${text} not null,
      email_verified ${integer} not null,
      name ${text},
      code_id ${text},
      code_expires_at ${integer},
      code_tries ${integer} not null,
      codes ${integer} not null,
      created_at ${integer} not null,
      expires_at ${integer} not null
    ) ${tableOptions}`,
    'create index pending_identities_provider on pending_identities (provider_id)',
    'create index pending_identities_expires_at on pending_identities (expires_at)',
  ],
};

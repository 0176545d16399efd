import type { Migration } from './migration.ts';

/** The form by which a browser has started a session, so that the form can be sent again after its response was lost. */
export const sentForms: Migration = {
  version: 62,
  name: 'forms that are sent again',
  kind: 'expand',
  statements: ({ key, text }) => [
    `alter table sign_in_sessions add column form_hash ${key}`,
    `alter table sign_in_sessions add column form_nonce ${text}`,
    'create index sign_in_sessions_form on sign_in_sessions (form_hash, id) where form_hash is not null',
  ],
};

/** The products whose exports can be imported, by the value of `--from`. */
import { auth0 } from './auth0.ts';
import { betterAuth } from './better-auth.ts';
import { firebase } from './firebase.ts';
import { keycloak } from './keycloak.ts';
import { isTrue, readTextMember, type Source } from './source.ts';
import { supabase } from './supabase.ts';

/** PocketBase: records of an auth collection, from `data.db` or as JSON. */
const pocketbase: Source = {
  list: null,
  table: 'users',
  members: ['email', 'name', 'verified', 'password', 'passwordHash', 'created'],
  toEntry: (user) => ({
    email: user.email,
    name: user.name,
    // The column was renamed in version 0.23.
    passwordHash: readTextMember(user, 'passwordHash') ?? readTextMember(user, 'password'),
    isDisabled: false,
    verified: isTrue(user, 'verified'),
    createdAt: user.created,
  }),
};

export const SOURCES: Readonly<Record<string, Source>> = {
  auth0,
  'better-auth': betterAuth,
  firebase,
  keycloak,
  pocketbase,
  supabase,
};

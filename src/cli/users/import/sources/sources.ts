/** The products whose exports can be imported, by the value of `--from`. */
import { auth0 } from './auth0.ts';
import { betterAuth } from './better-auth.ts';
import { firebase } from './firebase.ts';
import { keycloak } from './keycloak.ts';
import { pocketbase } from './pocketbase.ts';
import type { Source } from './source.ts';
import { supabase } from './supabase.ts';

export const SOURCES: Readonly<Record<string, Source>> = {
  auth0,
  'better-auth': betterAuth,
  firebase,
  keycloak,
  pocketbase,
  supabase,
};

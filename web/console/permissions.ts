/** Who is signed in, and their permissions. The service checks them again for each request. */
import { signal } from '@preact/signals';
import type { AdminScope } from '../common/api-types.ts';

export interface SessionCredential {
  /** Null for ADMIN_TOKEN. */
  readonly id: string | null;
  readonly name: string;
  /** Null for ADMIN_TOKEN. */
  readonly role: string | null;
  readonly scopes: readonly string[];
}

/** Null before the session is known. */
export const signedIn = signal<SessionCredential | null>(null);

/** Whether the role has the scope. Views render again when somebody else signs in. */
export function may(scope: AdminScope): boolean {
  const scopes = signedIn.value?.scopes ?? [];
  return scopes.includes('admin') || scopes.includes(scope);
}

/** Whether the role has the scope for this user: only owners change people with a role. */
export function mayChange({ role }: { readonly role: string | null }, scope: AdminScope): boolean {
  return may(role === null ? scope : 'admin');
}

/** Returns the name of who is signed in. */
export function formatSignedIn(): string {
  if (signedIn.value === null) return '';
  const { id, name } = signedIn.value;
  return id === null ? `Owner (${name})` : name;
}

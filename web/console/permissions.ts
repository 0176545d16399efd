/** The signed-in credential and its permissions. The service checks it again for each request. */
import { signal } from '@preact/signals';
import type { AdminScope } from '../common/api-types.ts';

export interface SessionCredential {
  /** Null for ADMIN_TOKEN. */
  readonly id: string | null;
  readonly name: string;
  readonly scopes: readonly string[];
}

/** Null before the session is known. */
export const signedIn = signal<SessionCredential | null>(null);

/** Whether the credential has the scope. Views render again when another one signs in. */
export function may(scope: AdminScope): boolean {
  const scopes = signedIn.value?.scopes ?? [];
  return scopes.includes('admin') || scopes.includes(scope);
}

/** Returns the name of who is signed in. */
export function formatSignedIn(): string {
  if (signedIn.value === null) return '';
  const { id, name } = signedIn.value;
  return id === null ? `Owner (${name})` : name;
}

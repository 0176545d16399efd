/**
 * Credentials of the requests that the page sends. A pasted token is kept in memory only, and each credential is sent
 * only to operations that take it.
 */
import { computed, signal } from '@preact/signals';
import { ApiError, send } from '../../common/api.ts';
import type { Access } from '../description/operations.ts';

export type Sender = 'anonymous' | 'user' | 'admin';
export type Credential = 'user' | 'admin';

export const sender = signal<Sender>('anonymous');
const pasted = signal('');
/** The pasted token of a user. */
export const token = computed(() => pasted.value.trim());
/** Returns why the token cannot be sent; null if it can. */
export const tokenError = computed(() =>
  /^[\x21-\x7e]*$/.test(token.value) ? null : 'A token has no spaces and no special characters.',
);

/** The administrator's session of this browser: `absent` means that there is no session of the console. */
export const session = signal<'checking' | 'active' | 'absent' | 'unreachable'>('checking');

export function pasteToken(text: string): void {
  pasted.value = text;
}

/** Checks whether this browser has a session. */
export async function checkSession(): Promise<void> {
  session.value = 'checking';
  try {
    await send('/console/session');
    session.value = 'active';
  } catch (error) {
    const isAbsent = error instanceof ApiError && (error.status === 401 || error.status === 404);
    session.value = isAbsent ? 'absent' : 'unreachable';
  }
}

const TAKEN_BY: Readonly<Record<Credential, readonly Access[]>> = {
  user: ['user', 'optional'],
  admin: ['admin', 'optional'],
};

/** Returns the credential that a request to an operation is sent with; null: anonymously. */
export function credentialFor(access: Access): Credential | null {
  if (sender.value === 'anonymous' || !TAKEN_BY[sender.value].includes(access)) return null;
  const isPresent =
    sender.value === 'user' ? token.value !== '' && tokenError.value === null : session.value === 'active';
  return isPresent ? sender.value : null;
}

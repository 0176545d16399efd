/**
 * Credentials of the requests that the page sends. A pasted token is kept in memory only, and each credential is sent
 * only to operations that accept it.
 */
import { computed, signal } from '@preact/signals';
import { ApiError, send } from '../common/api.ts';
import type { Access } from './description.ts';

export type Sender = 'anonymous' | 'token' | 'session';
export type Credential = Exclude<Sender, 'anonymous'>;
/** Whose operations a credential authorizes. */
export type CredentialKind = 'user' | 'admin';

export const sender = signal<Sender>('anonymous');
const pasted = signal('');
/** The pasted token. */
export const token = computed(() => pasted.value.trim());
/** Returns why the token cannot be sent; null if it can. */
export const tokenError = computed(() =>
  /^[\x21-\x7e]*$/.test(token.value) ? null : 'A token has no spaces and no special characters.',
);

/** The session of the console in this browser: `absent` means that there is none. */
export const session = signal<'checking' | 'active' | 'absent' | 'unreachable'>('checking');
/** Who is signed in. */
export const sessionName = signal('');

export function pasteToken(text: string): void {
  pasted.value = text;
}

/** Checks whether this browser has a session. */
export async function checkSession(): Promise<void> {
  session.value = 'checking';
  try {
    const { body } = await send<{ data: { credential: { name: string } } }>('/console/session');
    sessionName.value = body.data.credential.name;
    session.value = 'active';
  } catch (error) {
    const isAbsent = error instanceof ApiError && (error.status === 401 || error.status === 404);
    session.value = isAbsent ? 'absent' : 'unreachable';
  }
}

/** Uses the session of this browser, if there is one, until another sender is chosen. */
export async function preferSession(): Promise<void> {
  await checkSession();
  if (session.value === 'active' && sender.value === 'anonymous') sender.value = 'session';
}

/** Credentials of programs and ADMIN_TOKEN authorize the operations of administrators. */
export function getKind(credential: Credential): CredentialKind {
  return credential === 'token' && token.value.startsWith('fd_pat_') ? 'user' : 'admin';
}

/** Returns the credential that a request to an operation is sent with; null: anonymously. */
export function credentialFor(access: Access): Credential | null {
  if (sender.value === 'anonymous') return null;
  if (access !== 'optional' && access !== getKind(sender.value)) return null;
  return hasCredential(sender.value) ? sender.value : null;
}

function hasCredential(credential: Credential): boolean {
  if (credential === 'session') return session.value === 'active';
  return token.value !== '' && tokenError.value === null;
}

/** Returns the pasted token if it is of the kind; null otherwise. */
export function findToken(kind: CredentialKind): string | null {
  return hasCredential('token') && getKind('token') === kind ? token.value : null;
}

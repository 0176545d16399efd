/**
 * The session of the administrator, which the browser holds in a cookie that scripts cannot read, and what it permits. The
 * service checks that again for each request.
 */
import { signal } from '@preact/signals';
import { ApiError, type ApiRequest, type ApiResponse, basePath, open, send } from '../common/api.ts';
import type { AdminScope } from '../common/api-types.ts';
import { clearOwnStorage } from '../common/storage.ts';
import { type Loaded, useLoad } from '../common/use-load.ts';

type SessionState = 'checking' | 'signed_out' | 'first_run' | 'active' | 'ended' | 'refused' | 'unreachable';

export const session = signal<SessionState>('checking');
/** Whether an action waits for a recent sign-in. */
export const isStale = signal(false);
/** The error of the last check, while the state is `unreachable` or `refused`. */
export const sessionError = signal<ApiError | null>(null);
/** Whether a person has the role of an owner. */
export const hasOwner = signal(true);
const signIns = signal(0);

export const hasSignInPage = 'signIn' in document.documentElement.dataset;
/** The page to sign in leads back to these when somebody has to sign in with ADMIN_TOKEN. */
export const FIRST_OWNER_HASH = '#first-owner';
const ADMIN_TOKEN_HASHES = [FIRST_OWNER_HASH, '#admin-token'];

/** Returns the page to sign in, which leads back to this view. */
export function toSignIn(): string {
  const here = location.pathname.slice(basePath.length) + location.search;
  return `${basePath}/sign-in?${new URLSearchParams({ return_to: here })}`;
}

/** Checks whether the browser has a session already. */
export async function checkSession(): Promise<void> {
  session.value = 'checking';
  // Browsers neither keep the cookie nor say where requests come from: there cannot be a session.
  if (!isSecureContext) {
    session.value = 'signed_out';
    return;
  }
  try {
    await loadSession();
    session.value = 'active';
  } catch (error) {
    const failure = error as ApiError;
    const state = failure.status === 401 ? 'signed_out' : isRefusal(failure) ? 'refused' : 'unreachable';
    if (state === 'signed_out' && hasSignInPage && !ADMIN_TOKEN_HASHES.includes(location.hash))
      return location.replace(toSignIn());
    sessionError.value = failure;
    session.value = state;
  }
}

/** The person is signed in, and may not use the console. */
const isRefusal = ({ code }: ApiError) => code === 'role_required' || code === 'role_second_factor_required';

interface ConsoleSession {
  readonly credential: SessionCredential;
  readonly has_owner: boolean;
}

/** Reads who is signed in. @throws ApiError */
async function loadSession(): Promise<ConsoleSession> {
  const { body } = await send<{ data: ConsoleSession }>('/console/session');
  signedIn.value = body.data.credential;
  hasOwner.value = body.data.has_owner;
  return body.data;
}

/** After Back, the browser may show the page from memory, as it was left: the session may have ended since. */
export function checkSessionAfterBack({ persisted }: PageTransitionEvent): void {
  if (persisted) void checkSession();
}

/**
 * Exchanges ADMIN_TOKEN for a session. @throws ApiError, with code `cookie_refused` if the browser did not keep the cookie
 */
export async function signIn(credential: string): Promise<void> {
  const isFirst = session.value === 'signed_out';
  await send('/console/session', { method: 'POST', body: { credential } });
  const { has_owner: hasOwner } = await loadSession().catch((error) => {
    throw error instanceof ApiError && error.status === 401 ? cookieRefused() : error;
  });
  signIns.value++;
  session.value = isFirst && !hasOwner ? 'first_run' : 'active';
}

/** Goes on after the person has signed in again in another tab. @throws ApiError if they have not */
export async function resume(): Promise<void> {
  await loadSession();
  signIns.value++;
  isStale.value = false;
  session.value = 'active';
}

function cookieRefused(): ApiError {
  return new ApiError(0, {
    error:
      'The credential is right, but the browser did not keep the session cookie. Open the console over HTTPS.',
    code: 'cookie_refused',
  });
}

/** Ends the session on the service, and forgets everything that this page has shown and stored. */
export async function signOut(): Promise<void> {
  await send('/console/session', { method: 'DELETE' });
  clearOwnStorage();
  location.reload();
}

/**
 * Sends a request of a view. When the session has ended, or is too old, a dialog asks to sign in while the view stays as
 * it is. @throws ApiError
 */
export function request<T>(path: string, options?: ApiRequest): Promise<ApiResponse<T>> {
  return send<T>(path, options).catch(endSession);
}

/** Sends the same request, and returns the member `data` of the response. @throws ApiError */
export async function read<T>(path: string, options?: ApiRequest): Promise<T> {
  return (await request<{ data: T }>(path, options)).body.data;
}

/** Sends the same request, and leaves the body of the response to the caller. @throws ApiError */
export function download(path: string, options?: ApiRequest): Promise<Response> {
  return open(path, options).catch(endSession);
}

function endSession(error: unknown): never {
  if (error instanceof ApiError) {
    if (error.status === 401) session.value = 'ended';
    if (error.code === 'recent_sign_in_required') isStale.value = true;
    if (isRefusal(error)) void checkSession();
  }
  throw error;
}

/**
 * Loads what a view shows (use-load.ts), once more after the person has signed in again, and whenever `revision`
 * changes.
 */
export function useView<T>(path: string, revision = 0): [Loaded<T>, () => void] {
  const load = async (signal: AbortSignal) => (await request<T>(path, { signal })).body;
  return useViewData(`${revision} ${path}`, load);
}

/** Loads the member `data` of the response. */
export function useData<T>(path: string, revision = 0): [Loaded<T>, () => void] {
  return useViewData(`${revision} ${path}`, (signal) => read<T>(path, { signal }));
}

/** Loads the same by another function. `key` identifies everything that `load` depends on. */
export function useViewData<T>(
  key: string,
  load: (signal: AbortSignal) => Promise<T>,
): [Loaded<T>, () => void] {
  const [loaded, again] = useLoad(`${signIns.value} ${key}`, load);
  // The dialog says so, and the view loads again after it.
  const isEnded = loaded.state === 'failed' && loaded.error.status === 401;
  return [isEnded ? { state: 'loading', data: loaded.data } : loaded, again];
}

interface SessionCredential {
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

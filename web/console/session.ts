/** The session of the administrator. The browser holds it in a cookie that scripts cannot read. */
import { signal } from '@preact/signals';
import { ApiError, type ApiRequest, type ApiResponse, open, send } from '../common/api.ts';
import { clearOwnStorage } from '../common/storage.ts';
import { type Loaded, useLoad } from '../common/use-load.ts';
import { type SessionCredential, signedIn } from './permissions.ts';

export type SessionState = 'checking' | 'signed_out' | 'active' | 'ended' | 'unreachable';

export const session = signal<SessionState>('checking');
/** The error of the first check, while the state is `unreachable`. */
export const sessionError = signal<ApiError | null>(null);
/** Members of metadata by which users can be filtered. */
export const indexedMetadata = signal<readonly string[]>([]);
const signIns = signal(0);

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
    const isSignedOut = error instanceof ApiError && error.status === 401;
    sessionError.value = error as ApiError;
    session.value = isSignedOut ? 'signed_out' : 'unreachable';
  }
}

interface ConsoleSession {
  readonly credential: SessionCredential;
  readonly indexed_metadata: readonly string[];
}

/** Reads who is signed in. @throws ApiError */
async function loadSession(): Promise<void> {
  const { body } = await send<{ data: ConsoleSession }>('/console/session');
  signedIn.value = body.data.credential;
  indexedMetadata.value = body.data.indexed_metadata;
}

/** After Back, the browser may show the page from memory, as it was left: the session may have ended since. */
export function checkSessionAfterBack({ persisted }: PageTransitionEvent): void {
  if (persisted) void checkSession();
}

/**
 * Exchanges the credential for a session, with a code if it has a second factor.
 * @throws ApiError, with code `totp_required` if a code is missing, `cookie_refused` if the browser did not keep the
 *   cookie
 */
export async function signIn(credential: string, code?: string): Promise<void> {
  await send('/console/session', { method: 'POST', body: { credential, code } });
  await loadSession().catch((error) => {
    throw error instanceof ApiError && error.status === 401 ? cookieRefused() : error;
  });
  signIns.value++;
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
 * Sends a request of a view. When the session has ended, a dialog asks for the credential while the view stays as
 * it is. @throws ApiError
 */
export function request<T>(path: string, options?: ApiRequest): Promise<ApiResponse<T>> {
  return send<T>(path, options).catch(endSession);
}

/** Sends the same request, and leaves the body of the response to the caller. @throws ApiError */
export function download(path: string, options?: ApiRequest): Promise<Response> {
  return open(path, options).catch(endSession);
}

function endSession(error: unknown): never {
  if (error instanceof ApiError && error.status === 401) session.value = 'ended';
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

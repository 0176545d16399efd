/** Requests as code of several languages. */
import type { Access } from '../description/operations.ts';
import type { Credential } from './credentials.ts';
import { curlLine } from './curl.ts';
import type { HttpRequest } from './request.ts';
import { fetchSample } from './sample-fetch.ts';
import { pythonSample } from './sample-python.ts';

export const LANGUAGES = { curl: 'curl', fetch: 'fetch', python: 'Python' } as const;
export type Language = keyof typeof LANGUAGES;

const VARIABLES: Readonly<Record<Credential, string>> = { user: 'TOKEN', admin: 'ADMIN_TOKEN' };

/**
 * Returns the request in a language, with the credential in a variable. Operations that need a credential show one even
 * if the page sends none.
 */
export function toSample(
  language: Language,
  request: HttpRequest,
  { access, credential }: { readonly access: Access; readonly credential: Credential | null },
): string {
  const shown = access === 'user' || access === 'admin' ? access : credential;
  const variable = shown === null ? null : VARIABLES[shown];
  if (language === 'fetch') return fetchSample(request, variable);
  if (language === 'python') return pythonSample(request, variable);
  return curlLine(request, variable);
}

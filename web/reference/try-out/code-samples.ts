/** Requests as code of several languages. */
import type { Access } from '../description/operations.ts';
import { type Credential, type CredentialKind, findToken, getKind } from './credentials.ts';
import { curlLine } from './curl.ts';
import type { HttpRequest } from './request.ts';
import { fetchSample } from './sample-fetch.ts';
import { pythonSample } from './sample-python.ts';

export const LANGUAGES = { curl: 'curl', fetch: 'fetch', python: 'Python' } as const;
export type Language = keyof typeof LANGUAGES;

const SAMPLES = { curl: curlLine, fetch: fetchSample, python: pythonSample };

const VARIABLES: Readonly<Record<CredentialKind, string>> = { user: 'TOKEN', admin: 'ADMIN_TOKEN' };

/**
 * Returns the request in a language. Operations that need a credential show one even if the page sends none: a pasted
 * token that fits, shortened in the text that is shown.
 */
export function toSample(
  language: Language,
  request: HttpRequest,
  { access, credential }: { readonly access: Access; readonly credential: Credential | null },
): { readonly text: string; readonly copied: string } {
  const kind = access === 'user' || access === 'admin' ? access : credential && getKind(credential);
  const create = SAMPLES[language];
  if (kind === null) {
    const text = create(request, null);
    return { text, copied: text };
  }
  const [variable, token] = [VARIABLES[kind], findToken(kind)];
  return {
    text: create(request, { variable, token: token && `${token.slice(0, 12)}…` }),
    copied: create(request, { variable, token }),
  };
}

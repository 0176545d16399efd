/** Requests as code of several languages. */
import { shellQuote } from '../common/code.ts';
import { type Credential, type CredentialKind, findToken, getKind } from './credentials.ts';
import type { Access } from './description.ts';
import type { HttpRequest } from './request.ts';

export const LANGUAGES = { curl: 'curl', fetch: 'fetch' } as const;
export type Language = keyof typeof LANGUAGES;

const GENERATORS = { curl: generateCurl, fetch: generateFetch };

const VARIABLES: Readonly<Record<CredentialKind, string>> = { user: 'TOKEN', admin: 'ADMIN_TOKEN' };

/** The token of a sample, or the variable that has it. */
interface SampleCredential {
  readonly variable: string;
  readonly token: string | null;
}

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
  const generate = GENERATORS[language];
  if (kind === null) return { text: generate(request, null), copied: generate(request, null) };
  const [variable, token] = [VARIABLES[kind], findToken(kind)];
  return {
    text: generate(request, { variable, token: token && `${token.slice(0, 12)}…` }),
    copied: generate(request, { variable, token }),
  };
}

/** Returns a command for a POSIX shell. */
function generateCurl(
  { method, url, headers, body }: HttpRequest,
  credential: SampleCredential | null,
): string {
  const authorization =
    credential?.token === null
      ? `"Authorization: Bearer $${credential.variable}"`
      : shellQuote(`Authorization: Bearer ${credential?.token}`);
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${shellQuote(url)}`,
    ...(credential === null ? [] : [`-H ${authorization}`]),
    ...headers.map(([name, value]) => `-H ${shellQuote(`${name}: ${value}`)}`),
    // With --data, a leading @ would mean a file.
    ...(body === null ? [] : [`--data-raw ${shellQuote(body)}`]),
  ].join(' \\\n  ');
}

/** Returns code of a JavaScript module. */
function generateFetch(
  { method, url, headers, body }: HttpRequest,
  credential: SampleCredential | null,
): string {
  const authorization =
    credential?.token === null
      ? `\`Bearer \${${credential.variable}}\``
      : JSON.stringify(`Bearer ${credential?.token}`);
  const lines = [
    ...(credential === null ? [] : [`    Authorization: ${authorization},`]),
    ...headers.map(([name, value]) => `    ${JSON.stringify(name)}: ${JSON.stringify(value)},`),
  ];
  const options = [
    ...(method === 'GET' ? [] : [`  method: ${JSON.stringify(method)},`]),
    ...(lines.length > 0 ? ['  headers: {', ...lines, '  },'] : []),
    ...(body === null ? [] : [`  body: ${toExpression(body)},`]),
  ];
  const argument = options.length > 0 ? `, {\n${options.join('\n')}\n}` : '';
  return `const response = await fetch(${JSON.stringify(url)}${argument});\nconsole.log(response.status, await response.text());`;
}

/** Returns an expression of a text: readable where it is JSON. */
function toExpression(body: string): string {
  try {
    return `JSON.stringify(${JSON.stringify(JSON.parse(body), null, 2).replaceAll('\n', '\n  ')})`;
  } catch {
    return JSON.stringify(body);
  }
}

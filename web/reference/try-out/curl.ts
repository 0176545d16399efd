/** Generates curl commands. */
import { shellQuote } from '../../common/shell-quote.ts';
import type { Access } from '../description/operations.ts';
import type { Credential } from './credentials.ts';
import type { HttpRequest } from './request.ts';

const VARIABLES: Readonly<Record<Credential, string>> = { user: 'TOKEN', admin: 'ADMIN_TOKEN' };

/**
 * Returns a command for a POSIX shell, with the credential in a variable. Operations that need a credential show one
 * even if the page sends none.
 */
export function curlLine(request: HttpRequest, access: Access, credential: Credential | null): string {
  const shown = access === 'user' || access === 'admin' ? access : credential;
  return [
    `curl ${methodOption(request.method)}${shellQuote(request.url)}`,
    ...(shown === null ? [] : [`-H "Authorization: Bearer $${VARIABLES[shown]}"`]),
    ...request.headers.map(([name, value]) => `-H ${shellQuote(`${name}: ${value}`)}`),
    // With --data, a leading @ would mean a file.
    ...(request.body === null ? [] : [`--data-raw ${shellQuote(request.body)}`]),
  ].join(' \\\n  ');
}

function methodOption(method: string): string {
  if (method === 'GET') return '';
  return method === 'HEAD' ? '--head ' : `-X ${method} `;
}

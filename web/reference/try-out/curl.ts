/** Generates curl commands. */
import { shellQuote } from '../../common/shell-quote.ts';
import type { HttpRequest } from './request.ts';
import type { SampleCredential } from './sample-credential.ts';

/** Returns a command for a POSIX shell. */
export function curlLine(request: HttpRequest, credential: SampleCredential | null): string {
  return [
    `curl ${methodOption(request.method)}${shellQuote(request.url)}`,
    ...(credential === null ? [] : [`-H ${authorization(credential)}`]),
    ...request.headers.map(([name, value]) => `-H ${shellQuote(`${name}: ${value}`)}`),
    // With --data, a leading @ would mean a file.
    ...(request.body === null ? [] : [`--data-raw ${shellQuote(request.body)}`]),
  ].join(' \\\n  ');
}

function authorization({ variable, token }: SampleCredential): string {
  return token === null
    ? `"Authorization: Bearer $${variable}"`
    : shellQuote(`Authorization: Bearer ${token}`);
}

function methodOption(method: string): string {
  if (method === 'GET') return '';
  return method === 'HEAD' ? '--head ' : `-X ${method} `;
}

/** Generates curl commands. */
import { shellQuote } from '../../common/shell-quote.ts';
import type { HttpRequest } from './request.ts';

/** Returns a command for a POSIX shell. @param variable that has the credential */
export function curlLine(request: HttpRequest, variable: string | null): string {
  return [
    `curl ${methodOption(request.method)}${shellQuote(request.url)}`,
    ...(variable === null ? [] : [`-H "Authorization: Bearer $${variable}"`]),
    ...request.headers.map(([name, value]) => `-H ${shellQuote(`${name}: ${value}`)}`),
    // With --data, a leading @ would mean a file.
    ...(request.body === null ? [] : [`--data-raw ${shellQuote(request.body)}`]),
  ].join(' \\\n  ');
}

function methodOption(method: string): string {
  if (method === 'GET') return '';
  return method === 'HEAD' ? '--head ' : `-X ${method} `;
}

/** Generates JavaScript. */
import type { HttpRequest } from './request.ts';
import type { SampleCredential } from './sample-credential.ts';

/** Returns code of a module that sends the request with `fetch`. */
export function fetchSample(
  { method, url, headers, body }: HttpRequest,
  credential: SampleCredential | null,
): string {
  const lines = [
    ...(credential === null ? [] : [`    Authorization: ${authorization(credential)},`]),
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

function authorization({ variable, token }: SampleCredential): string {
  return token === null ? `\`Bearer \${${variable}}\`` : JSON.stringify(`Bearer ${token}`);
}

/** Readable where the body is JSON, and the text itself otherwise. */
function toExpression(body: string): string {
  try {
    return `JSON.stringify(${JSON.stringify(JSON.parse(body), null, 2).replaceAll('\n', '\n  ')})`;
  } catch {
    return JSON.stringify(body);
  }
}

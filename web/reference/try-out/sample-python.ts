/** Generates Python. */
import type { HttpRequest } from './request.ts';
import type { SampleCredential } from './sample-credential.ts';

/** Returns code that sends the request with the package `requests`. */
export function pythonSample(
  { method, url, headers, body }: HttpRequest,
  credential: SampleCredential | null,
): string {
  const json = body === null ? undefined : parse(body);
  // `json=` sends the media type, too.
  const sent = headers.filter(([name]) => json === undefined || name !== 'Content-Type');
  const lines = [
    ...(credential === null ? [] : [`        "Authorization": ${authorization(credential)},`]),
    ...sent.map(([name, value]) => `        ${quote(name)}: ${quote(value)},`),
  ];
  const options = [
    `    ${quote(method)},`,
    `    ${quote(url)},`,
    ...(lines.length > 0 ? ['    headers={', ...lines, '    },'] : []),
    ...(json === undefined ? [] : [`    json=${toLiteral(json.value, '    ')},`]),
    ...(body === null || json !== undefined ? [] : [`    data=${quote(body)}.encode(),`]),
  ];
  const imports = [...(credential?.token === null ? ['import os'] : []), 'import requests'].join('\n');
  return `${imports}\n\nresponse = requests.request(\n${options.join('\n')}\n)\nprint(response.status_code, response.text)`;
}

function authorization({ variable, token }: SampleCredential): string {
  return token === null ? `f"Bearer {os.environ['${variable}']}"` : quote(`Bearer ${token}`);
}

function parse(body: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(body) };
  } catch {
    return undefined;
  }
}

/** Escapes of JSON strings have the same meaning in Python, but for those of surrogates, which JSON does not need. */
function quote(text: string): string {
  return JSON.stringify(text);
}

function toLiteral(value: unknown, indent: string): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'object') return JSON.stringify(value);
  const inner = `${indent}    `;
  const [open, close, lines] = Array.isArray(value)
    ? ['[', ']', value.map((each) => toLiteral(each, inner))]
    : ['{', '}', Object.entries(value).map(([name, each]) => `${quote(name)}: ${toLiteral(each, inner)}`)];
  if (lines.length === 0) return open + close;
  return `${open}\n${lines.map((line) => `${inner}${line},`).join('\n')}\n${indent}${close}`;
}

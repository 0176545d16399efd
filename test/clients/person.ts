/** A person with a browser: keeps cookies, follows redirects, and fills in the forms of the service. */
import { request } from 'undici';

const MAX_STEPS = 25;

export interface Credentials {
  readonly email: string;
  readonly password: string;
}

export interface Visited {
  readonly url: string;
  readonly status: number;
  readonly text: string;
}

/** Creates a browser of this person. */
export function createPerson(issuer: string, credentials: Credentials) {
  const jar = new Map<string, Map<string, string>>();

  async function send(url: string, form?: URLSearchParams) {
    const { origin, host } = new URL(url);
    const cookies = jar.get(host) ?? new Map<string, string>();
    jar.set(host, cookies);
    // Not by fetch, which says that it is no navigation.
    const { statusCode, headers, body } = await request(url, {
      method: form === undefined ? 'GET' : 'POST',
      headers: {
        accept: 'text/html',
        'sec-fetch-mode': 'navigate',
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(form === undefined
          ? {}
          : {
              ...{ origin, 'sec-fetch-site': 'same-origin' },
              'content-type': 'application/x-www-form-urlencoded',
            }),
      },
      signal: AbortSignal.timeout(60_000),
      ...(form === undefined ? {} : { body: String(form) }),
    });
    for (const line of [headers['set-cookie'] ?? []].flat()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
      if (value === '' || /max-age=0\b/i.test(line)) cookies.delete(name!);
      else cookies.set(name!, value!);
    }
    const location = headers.location === undefined ? null : String(headers.location);
    return { status: statusCode, location, text: await body.text() };
  }

  /** Opens the address and returns the last page, or the first address that begins with `until`, without a request. */
  async function visit(start: string, until?: string): Promise<Visited> {
    let url = start;
    let form: URLSearchParams | undefined;
    for (let step = 0; step < MAX_STEPS; step++) {
      if (until !== undefined && form === undefined && url.startsWith(until))
        return { url, status: 0, text: '' };
      const response = await send(url, form);
      form = undefined;
      const { status, location, text } = response;
      if (location !== null && status < 400) {
        url = new URL(location, url).href;
        continue;
      }
      const hasForm = ['/sign-in', '/oauth/end-session', '/device'].some((path) =>
        url.startsWith(issuer + path),
      );
      const page = hasForm ? readForm(text, credentials) : null;
      if (page === null) return { url, status, text };
      form = page.values;
      url = new URL(page.action, url).href;
    }
    throw new Error(`no end after ${MAX_STEPS} steps: ${url}`);
  }

  return { visit };
}

/** Returns what the form of a page sends when the person has filled it in; null without a form that asks for something. */
function readForm(page: string, credentials: Credentials) {
  const typed = new Map([
    ['email', credentials.email],
    ['current_password', credentials.password],
  ]);
  for (const [, attributes = '', content = ''] of page.matchAll(/<form([^>]*)>(.*?)<\/form>/gs)) {
    const isSignIn = /name="current_password"/.test(content);
    if (!/method="post"/i.test(attributes) || !(isSignIn || /end-session|"\/device/.test(attributes)))
      continue;
    const values = new URLSearchParams();
    for (const [input] of content.matchAll(/<input[^>]*>/g)) {
      const read = (name: string) =>
        decodeEntities(new RegExp(`\\b${name}="([^"]*)"`).exec(input)?.[1] ?? '');
      if (read('name') === '') continue;
      values.set(read('name'), typed.get(read('name')) ?? read('value'));
    }
    return { values, action: decodeEntities(/\baction="([^"]*)"/.exec(attributes)?.[1] ?? '') };
  }
  return null;
}

const decodeEntities = (text: string) =>
  text
    .replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');

/** Requests to the pages that links lead to, as browsers send them. */
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import type { ApiRequest, ApiResponse } from '../api.ts';
import type { TestService } from '../service.ts';

export const FORM_TYPE = 'application/x-www-form-urlencoded';

/** Sends a form, and does not follow a redirect. */
export function submit(
  { api }: TestService,
  path: string,
  { fields = {}, headers = {} }: { fields?: Record<string, string>; headers?: ApiRequest['headers'] } = {},
): Promise<ApiResponse> {
  const raw = new URLSearchParams(fields).toString();
  return api.request('POST', path, { raw, headers: { 'content-type': FORM_TYPE, ...headers } });
}

/** Returns the text of the first heading. */
export function getHeading({ text }: ApiResponse): string | undefined {
  // The hyphen of the heading does not break.
  return /<h1>([^<]*)<\/h1>/.exec(text)?.[1]?.replace('\u2011', '-');
}

export const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

export interface TestProxy {
  /** Below which the proxy serves the service. */
  readonly publicUrl: string;
  /** Where requests are sent, without the path of `publicUrl`. */
  target: string;
}

/** Starts a reverse proxy that serves a service below a path, as PUBLIC_URL allows it. */
export async function startProxy(context: TestContext): Promise<TestProxy> {
  const prefix = '/accounts';
  const server = createServer((incoming, response) => {
    if (!incoming.url?.startsWith(`${prefix}/`)) {
      response.writeHead(404).end();
      return;
    }
    const url = proxy.target + incoming.url.slice(prefix.length);
    const { method, headers } = incoming;
    const outgoing = request(url, { method: method!, headers }, (received) => {
      response.writeHead(received.statusCode!, received.rawHeaders);
      received.pipe(response);
    });
    outgoing.on('error', () => response.destroy());
    incoming.pipe(outgoing);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  context.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const proxy = { publicUrl: origin + prefix, target: '' };
  return proxy;
}

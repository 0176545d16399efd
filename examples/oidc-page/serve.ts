/**
 * Serves the page: `CLIENT_ID=… node_modules/.bin/node examples/oidc-page/serve.ts`. Its redirect URI is
 * http://127.0.0.1:5175/. Another URL of the service is read from ISSUER, another port from PORT.
 */
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Settings {
  readonly clientId: string;
  /** URL of the service. */
  readonly issuer: string;
}

/** Creates the server of the page. The caller lets it listen. */
export function createPageServer({ clientId, issuer }: Settings): Server {
  const read = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8');
  return createServer((request, response) => {
    const isScript = request.url === '/page.js';
    const page = read('index.html')
      .replace('http://localhost:3000', issuer)
      .replace('the id of the application', clientId);
    response.setHeader('content-type', `text/${isScript ? 'javascript' : 'html'}; charset=utf-8`);
    response.end(isScript ? read('page.js') : page);
  });
}

if (import.meta.main) {
  const { CLIENT_ID: clientId = '', ISSUER: issuer = 'http://localhost:3000', PORT = '5175' } = process.env;
  const server = createPageServer({ clientId, issuer }).listen(Number(PORT), '127.0.0.1', () =>
    console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`),
  );
}

/**
 * Serves the page: `node_modules/.bin/node examples/browser/serve.ts`. Start the service with CORS_ORIGINS=http://127.0.0.1:5173. Another
 * URL of the service is read from FRONTDESK_URL.
 */
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';

const FILES: Readonly<Record<string, readonly [file: string, type: string]>> = {
  '/': ['index.html', 'text/html'],
  '/app.js': ['app.js', 'text/javascript'],
  '/style.css': ['style.css', 'text/css'],
};

/** Creates the server of the page. The caller lets it listen. */
export function createPageServer(serviceUrl: string): Server {
  // Scripts of this origin only, and connections to the service only: a stolen token could not be sent elsewhere.
  const policy = `default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src ${serviceUrl}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
  return createServer((request, response) => {
    const found = FILES[request.url ?? ''];
    if (found === undefined) return void response.writeHead(404).end();
    const [file, type] = found;
    const text = readFileSync(new URL(file, import.meta.url), 'utf8');
    response.writeHead(200, {
      'content-type': `${type}; charset=utf-8`,
      'content-security-policy': policy,
      'x-content-type-options': 'nosniff',
    });
    response.end(text.replace('content="http://127.0.0.1:3000"', `content="${serviceUrl}"`));
  });
}

if (import.meta.main) {
  createPageServer(process.env.FRONTDESK_URL ?? 'http://127.0.0.1:3000').listen(5173, '127.0.0.1', () =>
    console.log('http://127.0.0.1:5173'),
  );
}

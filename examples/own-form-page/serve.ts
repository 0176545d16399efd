/**
 * Serves the pages at http://127.0.0.1:5174, which has to be in `allowed_origins` of the form:
 * `node_modules/.bin/node examples/own-form-page/serve.ts http://127.0.0.1:3000/f/01938c5e-7a01-7c1d-8e2f-3a5b7c9d0e1f`.
 */
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';

const FILES: Readonly<Record<string, string>> = { '/': 'index.html', '/thanks': 'thanks.html' };
const OWN_URL = 'http://127.0.0.1:5174';

/** Creates the server of the pages. The caller lets it listen. */
export function createFormServer(formUrl: string, ownUrl = OWN_URL): Server {
  return createServer((request, response) => {
    const file = FILES[request.url ?? ''];
    if (file === undefined) return void response.writeHead(404).end();
    const text = readFileSync(new URL(file, import.meta.url), 'utf8');
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(text.replace('http://127.0.0.1:3000/f/ID', formUrl).replace(OWN_URL, ownUrl));
  });
}

if (import.meta.main) {
  const [formUrl] = process.argv.slice(2);
  if (formUrl === undefined) throw new Error('The URL of the form is missing');
  createFormServer(formUrl).listen(5174, '127.0.0.1', () => console.log(OWN_URL));
}

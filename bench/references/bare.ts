/** Server that does nothing: shows how many requests the load generator can send. */
import { createServer } from 'node:http';

const body = JSON.stringify({ filler: 'x'.repeat(285) });

createServer((_, response) => {
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length });
  response.end(body);
}).listen(Number(process.env.PORT), '127.0.0.1');

/** The least that a server can do, to learn how much the load generator can ask for. */
import { createServer } from 'node:http';

const body = JSON.stringify({ filler: 'x'.repeat(285) });

createServer((_, response) => {
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length });
  response.end(body);
}).listen(Number(process.env.PORT), '127.0.0.1');

/** Values of node:http. An import statement would load a WebSocket client, too: 45 ms of each start. */
import { createRequire } from 'node:module';

export const { createServer, METHODS, STATUS_CODES } = createRequire(import.meta.url)(
  'node:http',
) as typeof import('node:http');

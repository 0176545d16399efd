/**
 * Closes connections whose client stalls. Node counts the time since bytes have moved, also while the service works on
 * a request, which has limits of its own: here only the client may run out of time.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Connection, Connections } from './connections.ts';

/** Sets for how long, in milliseconds, the clients of a server that does not listen yet may stall. */
export function closeStalledClients(server: Server, connections: Connections, milliseconds: number): void {
  // Node itself closes idle connections only if this event has no listener.
  server.setTimeout(milliseconds, (socket: Socket) => {
    const connection = connections.get(socket);
    if (
      connection !== undefined &&
      (isSendingFirstHead(connection, socket) || !isWaitingForClient(connection))
    ) {
      // Otherwise the event would not come again before bytes have moved.
      socket.setTimeout(milliseconds);
    } else {
      socket.destroy();
    }
  });
}

/** Node responds with 408 when the time for the head has passed. */
function isSendingFirstHead({ newestRequest }: Connection, socket: Socket): boolean {
  return newestRequest === undefined && socket.bytesRead > 0;
}

/** Whether the client has to go on: send a request or the rest of one, or read what was written of its response. */
function isWaitingForClient({ pending: [response] }: Connection): boolean {
  if (response === undefined || response.writableLength > 0) return true;
  const { req: request } = response;
  // A body is read after the hooks have accepted its request. Until then a client may wait for 100 Continue.
  const isReadingBody = request.readableFlowing !== null;
  return !request.complete && isReadingBody;
}

/**
 * Receives webhooks: `WEBHOOK_SECRET=whsec_… node_modules/.bin/node examples/webhook-receiver/receiver.ts`. For a service on the same machine,
 * start it with WEBHOOK_ALLOW=127.0.0.1 and create a webhook with the URL http://127.0.0.1:4001/.
 */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { Webhook } from 'standardwebhooks';

export interface FrontdeskEvent {
  readonly type: string;
  readonly timestamp: string;
  readonly data: {
    readonly id: string;
    readonly subject: string | null;
    readonly sequence: number | null;
  };
}

export interface ReceiverOptions {
  /** `whsec_…`, from the response to the creation of the webhook. */
  readonly secret: string;
  /** Processes an event. If it fails, the service delivers the event again. */
  readonly handle: (event: FrontdeskEvent) => Promise<void>;
}

/** Payloads are smaller. */
const MAX_BYTES = 65_536;
/** Deliveries are retried for seven days. */
const REMEMBERED_MS = 8 * 86_400_000;

interface Received {
  readonly processing: Promise<void>;
  readonly at: number;
}

/** Creates a server that accepts signed events and processes each once. The caller lets it listen. */
export function createReceiver({ secret, handle }: ReceiverOptions): Server {
  const webhook = new Webhook(secret);
  // In production a table with the id as its key, written in the transaction that processes the event.
  const received = new Map<string, Received>();
  return createServer(async (request, response) => {
    const respond = (status: number) => void response.writeHead(status).end();
    // #region receive
    let event: FrontdeskEvent;
    try {
      const body = await readBody(request);
      if (body === null) return respond(413);
      event = webhook.verify(body, request.headers as Record<string, string>) as FrontdeskEvent;
    } catch {
      return respond(401);
    }
    const { id } = event.data;
    // The same event may arrive again, also while it is processed: both deliveries have one outcome.
    const delivery = received.get(id) ?? { processing: handle(event), at: Date.now() };
    received.set(id, delivery);
    try {
      await delivery.processing;
      respond(204);
    } catch {
      // The next attempt is processed.
      received.delete(id);
      respond(500);
    }
    // #endregion
    forgetOld(received);
  });
}

/** Returns the bytes of the body, which are what is signed, or null if there are too many. Fails if the sender aborts. */
async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    // The rest is read all the same, because the sender gets no response before it has sent everything.
    if (bytes <= MAX_BYTES) chunks.push(chunk);
  }
  return bytes > MAX_BYTES ? null : Buffer.concat(chunks);
}

/** The oldest are first. */
function forgetOld(received: Map<string, Received>): void {
  for (const [id, { at }] of received) {
    if (at > Date.now() - REMEMBERED_MS) return;
    received.delete(id);
  }
}

if (import.meta.main) {
  const handle = async (event: FrontdeskEvent) => console.log(event.type, event.data.subject);
  createReceiver({ secret: process.env.WEBHOOK_SECRET ?? '', handle }).listen(4001, '127.0.0.1', () =>
    console.log('http://127.0.0.1:4001'),
  );
}

/** One keep-alive HTTP/1.1 connection of the load generator: a request out, a response in, nothing kept. */
import { connect, type Socket } from 'node:net';

const READ_BYTES = 65_536;

export interface ConnectionEvents {
  /** A whole 2xx response is here, so many milliseconds after its request was sent. */
  answered(connection: Connection, milliseconds: number): void;
  failed(reason: string): void;
}

export class Connection {
  readonly #socket: Socket;
  readonly #events: ConnectionEvents;
  #sentAt = 0;
  /** The response so far, until its head is complete. */
  #head = '';
  /** Bytes of the body that are still to come. */
  #missing = 0;

  constructor(port: number, events: ConnectionEvents) {
    this.#events = events;
    const onread = {
      buffer: Buffer.allocUnsafe(READ_BYTES), // one for all reads: a new one per response costs a tenth
      callback: (bytes: number, buffer: Uint8Array) => {
        this.#take(bytes, buffer as Buffer);
        return true;
      },
    };
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true, onread });
    this.#socket.on('error', (error) => events.failed(String(error)));
    this.#socket.on('end', () => events.failed('The server closed the connection'));
  }

  /** One at a time: the next one only after `answered`. */
  send(request: Buffer): void {
    this.#sentAt = performance.now();
    this.#socket.write(request);
  }

  close(): void {
    this.#socket.removeAllListeners('end');
    this.#socket.destroy();
  }

  #take(bytes: number, buffer: Buffer): void {
    if (this.#missing > 0) this.#missing -= bytes;
    else if (!this.#takeHead(buffer.toString('latin1', 0, bytes))) return;
    if (this.#missing > 0) return;
    if (this.#missing < 0) this.#events.failed('More came than one response');
    else this.#events.answered(this, performance.now() - this.#sentAt);
  }

  /** False while the head is incomplete, or when the response is a refusal. */
  #takeHead(text: string): boolean {
    this.#head += text;
    const end = this.#head.indexOf('\r\n\r\n');
    if (end < 0) return false;
    const response = this.#head;
    this.#head = '';
    if (response[9] !== '2') {
      this.#events.failed(`Not a 2xx: ${response.slice(0, 15)} … ${response.slice(end + 4, end + 300)}`);
      return false;
    }
    this.#missing = end + 4 + contentLength(response) - response.length;
    return true;
  }
}

const FIELD = 'Content-Length: ';

function contentLength(response: string): number {
  const at = response.indexOf(FIELD);
  return at < 0 ? 0 : Number.parseInt(response.slice(at + FIELD.length, at + FIELD.length + 9), 10);
}

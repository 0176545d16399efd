/** What the server needs to know of the service that it serves. */
import type { Logger } from 'pino';

export interface ServerOptions {
  readonly logger: Logger;
  readonly publicUrl: string;
  readonly corsOrigins: readonly string[];
  /** Addresses and networks whose X-Forwarded-For is believed. */
  readonly trustProxy: readonly string[];
  /** True once the process is about to stop: connections are then closed after their answer. */
  readonly isDraining: () => boolean;
}

/** Responses that are stored with the effect of their request. */
import type { Tx } from '../database/database.ts';

/** Resources that a response gives access to: deleting one deletes the stored response too. */
export interface CreatedResources {
  readonly userId?: string | null;
  readonly tokenHash?: string | null;
}

export interface CreatedResponse {
  readonly status: number;
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Serialised by the schema of the status. */
  readonly body: object;
  readonly createdResources: CreatedResources;
}

export interface PreparedEffect {
  /** Writes the effect. May run again when the engine asks for a retry. */
  readonly store: (tx: Tx) => Promise<CreatedResponse>;
  /** As of a transaction. */
  readonly isLong?: boolean;
  /** Called after the commit, but not for a replayed response. */
  readonly onStored?: () => void;
}

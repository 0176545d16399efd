/** The context of a request or command, which names the cause of its events (OWASP ASVS 5.0, 16.2.1). */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { AdminCredential } from './callers.ts';

export const ACTOR_TYPES = ['anonymous', 'user', 'administrator', 'system'] as const;
export type ActorType = (typeof ACTOR_TYPES)[number];

export interface Actor {
  readonly type: ActorType;
  /** Id of the user or of the administrator's credential; null for others, and for ADMIN_TOKEN. */
  readonly id: string | null;
  /** Name of the administrator's credential, null for others. Names of people are not stored: events outlive them. */
  readonly name: string | null;
  /** Whether it is an administrator who may change people with a role. */
  readonly isOwner?: boolean;
}

/** Returns the administrator with this credential as the cause of events. */
export function toActor(credential: Pick<AdminCredential, 'id' | 'name' | 'scopes' | 'role'>): Actor {
  const { id, name, scopes, role } = credential;
  const isOwner = scopes.includes('admin');
  return { type: 'administrator', id, name: role === undefined ? name : null, isOwner };
}

export interface ActionContext {
  readonly actor: Actor;
  /** Id of the request in the log; null outside requests. */
  readonly requestId: string | null;
  /** Empty outside requests. */
  readonly clientIp: string;
  /** The address to store: the whole, its network or none, as the operator has set. */
  readonly address: string | null;
  readonly userAgent: string | null;
  /** Language in which the person reads, among those of the service; undefined: unknown. */
  readonly language?: string;
}

/** Work that no person has requested. */
const SYSTEM: ActionContext = {
  actor: { type: 'system', id: null, name: null },
  requestId: null,
  clientIp: '',
  address: null,
  userAgent: null,
};

const storage = new AsyncLocalStorage<ActionContext>();

/** Returns the context of the running request or command, or that of the system. */
export const getActionContext = (): ActionContext => storage.getStore() ?? SYSTEM;

/** Runs `work`, and everything that it starts, in this context. */
export const runInContext = <T>(context: ActionContext, work: () => T): T => storage.run(context, work);

/** Runs work that requests may start but have not requested, such as a delivery: its events name the system. */
export const runAsSystem = <T>(work: () => T): T => storage.run(SYSTEM, work);

export const COMMAND_LINE: ActionContext = {
  ...SYSTEM,
  actor: { type: 'administrator', id: null, name: 'command line', isOwner: true },
};

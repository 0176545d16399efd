/** Lets everything that a request changes name its cause: caller, request, client. */
import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { type ActionContext, type Actor, runInContext } from '../../callers/action-context.ts';
import type { Caller } from '../../callers/callers.ts';
import { type StoredAddress, toStoredAddress } from '../../lib/network.ts';

export interface ActionContextOptions {
  /** How precisely events keep the address of a client. */
  readonly eventsAddress: StoredAddress;
}

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Runs the handlers of requests that may change something in the context of their cause. */
export const actionContext = fp<ActionContextOptions>(async (app, { eventsAddress }) => {
  app.addHook('preHandler', (request, _reply, done) => {
    if (READS.has(request.method)) done();
    else runInContext(createContext(request, eventsAddress), done);
  });
});

function createContext(request: FastifyRequest, eventsAddress: StoredAddress): ActionContext {
  const { id, clientIp, headers, caller } = request;
  return {
    actor: toActor(caller),
    requestId: id,
    clientIp,
    address: toStoredAddress(clientIp, eventsAddress),
    userAgent: headers['user-agent'] ?? null,
  };
}

function toActor(caller: Caller): Actor {
  switch (caller.kind) {
    case 'user':
      return { type: 'user', id: caller.userId, name: null };
    case 'admin':
      return {
        type: 'administrator',
        id: null,
        name: caller.session === undefined ? 'ADMIN_TOKEN' : 'console',
      };
    case 'anonymous':
      return { type: 'anonymous', id: null, name: null };
  }
}

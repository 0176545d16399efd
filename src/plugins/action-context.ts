/** Lets everything that a request changes name its cause: caller, request, client. */
import type { FastifyRequest, preHandlerHookHandler } from 'fastify';
import fp from 'fastify-plugin';
import { type ActionContext, type Actor, runInContext, toActor } from '../callers/action-context.ts';
import type { Caller } from '../callers/callers.ts';
import { toStoredAddress } from '../lib/network.ts';
import { findLanguage } from '../lib/text/locale.ts';
import type { CurrentSettingsSource } from '../settings/run-time-settings.ts';

interface ActionContextOptions {
  readonly settings: CurrentSettingsSource;
  readonly texts: { readonly languages: readonly string[] };
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether requests may be recorded as events. Without it: those of other methods than GET. */
    readonly isRecorded?: boolean;
  }
}

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Runs the handlers of requests that may change or record something in the context of their cause. */
export const actionContext = fp<ActionContextOptions>(async (app, options) => {
  const runHandler: preHandlerHookHandler = (request, _reply, done) =>
    runInContext(createContext(request, options), done);
  app.addHook('onRoute', (route) => {
    const isRecorded = route.config?.isRecorded ?? !READS.has(String(route.method));
    if (isRecorded) route.preHandler = [runHandler, ...[route.preHandler ?? []].flat()];
  });
});

function createContext(request: FastifyRequest, { settings, texts }: ActionContextOptions): ActionContext {
  const { id, clientIp, headers, caller, userAgent } = request;
  const language = findLanguage(headers['accept-language'], texts.languages);
  return {
    actor: getActor(caller),
    requestId: id,
    clientIp,
    address: toStoredAddress(clientIp, settings.current.eventsAddress),
    userAgent,
    ...(language !== undefined && { language }),
  };
}

function getActor(caller: Caller): Actor {
  switch (caller.kind) {
    case 'user':
      return { type: 'user', id: caller.userId, name: null };
    case 'admin':
      return toActor(caller.credential);
    case 'anonymous':
      return { type: 'anonymous', id: null, name: null };
  }
}

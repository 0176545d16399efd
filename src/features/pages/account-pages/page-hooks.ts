/** Hooks of the pages that HOSTED_PAGES closes. */
import type { FastifyInstance } from 'fastify';
import { Problem } from '../../../problems/problem.ts';
import type { CurrentSettingsSource } from '../../../settings/run-time-settings.ts';

/** Errors: Problem not_found while the pages are closed. */
export function addPageHooks(
  app: Pick<FastifyInstance, 'addHook'>,
  { settings }: { readonly settings: CurrentSettingsSource },
): void {
  app.addHook('onRequest', (_request, reply, done) => {
    // The text of pages and error pages depends on it (RFC 9110 section 12.5.5).
    reply.header('vary', `${reply.getHeader('vary')}, Accept-Language`);
    done(settings.current.hostedPages ? undefined : new Problem('not_found'));
  });
}

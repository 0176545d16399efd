/** Routes of the console that need a recent sign-in of their person (OWASP ASVS 5.0, 7.5.3). */
import fp from 'fastify-plugin';
import type { Caller } from '../../callers/callers.ts';
import { Problem } from '../../problems/problem.ts';

/** Rejects requests of people whose sign-in is too old for them. Errors: Problem recent_sign_in_required. */
export const recentSignIns = fp(async (app) => {
  const toError = (isRejected: boolean) => (isRejected ? new Problem('recent_sign_in_required') : undefined);
  app.addHook('onRequest', ({ caller, routeConfig: { recentSignIn } }, _reply, done) => {
    done(toError(recentSignIn === 'always' && isOld(caller)));
  });
  app.addHook('preHandler', ({ caller, routeConfig: { recentSignIn }, body }, _reply, done) => {
    done(toError(typeof recentSignIn === 'function' && isOld(caller) && recentSignIn(body)));
  });
});

/** Programs and ADMIN_TOKEN prove themselves anew with each request. */
function isOld(caller: Caller): boolean {
  return caller.kind === 'admin' && caller.session?.isFresh === false;
}

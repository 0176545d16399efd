/** A Fastify plugin: the routes of the context that registers it need a valid token, and know its user. */
import fp from 'fastify-plugin';
import { isRejection, type VerifiedUser, type Verify } from './verify.ts';

declare module 'fastify' {
  interface FastifyRequest {
    user: VerifiedUser | null;
  }
}

// #region plugin
/** `app.register(authentication, { verify: createVerifier(options) })`, or with `createJwtVerifier`. */
export const authentication = fp<{ readonly verify: Verify }>(async (app, { verify }) => {
  app.decorateRequest('user', null);
  app.addHook('onRequest', async (request, reply) => {
    const result = await verify(request.headers.authorization);
    if (isRejection(result)) return reply.code(result.status).headers(result.headers).send();
    request.user = result;
  });
});
// #endregion

/** A Fastify plugin: the routes of the context that registers it need a valid token, and know its user. */
import fp from 'fastify-plugin';
import { createVerifier, isRejection, type VerifiedUser, type VerifierOptions } from './verifier.ts';

declare module 'fastify' {
  interface FastifyRequest {
    user: VerifiedUser | null;
  }
}

// #region plugin
export const authentication = fp<VerifierOptions>(async (app, options) => {
  const verify = createVerifier(options);
  app.decorateRequest('user', null);
  app.addHook('onRequest', async (request, reply) => {
    const result = await verify(request.headers.authorization);
    if (isRejection(result)) return reply.code(result.status).headers(result.headers).send();
    request.user = result;
  });
});
// #endregion

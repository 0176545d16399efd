/** Error responses: every error becomes a problem of the catalogue. */
import fp from 'fastify-plugin';
import {
  createErrorHandler,
  type ErrorHandler,
  type ErrorResponseOptions,
  type RenderProblem,
} from './error-response.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Creates the error handler of routes whose error responses are pages. */
    createPageErrorHandler(render: RenderProblem): ErrorHandler;
  }
}

/** Sets the error handler of the API. */
export const problems = fp<ErrorResponseOptions>(async (app, options) => {
  app.setErrorHandler(createErrorHandler(options));
  app.decorate('createPageErrorHandler', (render: RenderProblem) => createErrorHandler(options, render));
});

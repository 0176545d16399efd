/** Checks the names of query parameters. */
import fp from 'fastify-plugin';
import { queryFailed } from '../../problems/validation-failed.ts';

/**
 * Rejects query parameters of the administrator that the operation does not know: a filter that is misspelt would
 * otherwise select everything. Those of other callers are ignored, as v1 promises. Errors: Problem validation_failed
 * that names each of them.
 */
export const knownParameters = fp(async (app) => {
  app.addHook('preValidation', (request, _reply, done) => {
    const given = request.caller.kind === 'admin' ? Object.keys(request.query as object) : [];
    if (given.length === 0) return done();
    const { schema } = request.routeOptions;
    const known = (schema?.querystring as { properties?: object } | undefined)?.properties ?? {};
    const unknown = given.filter((name) => !Object.hasOwn(known, name));
    if (unknown.length === 0) return done();
    const messages = unknown.map((name) => [name, [`The ${name} parameter is not allowed here.`]]);
    done(queryFailed(Object.fromEntries(messages)));
  });
});

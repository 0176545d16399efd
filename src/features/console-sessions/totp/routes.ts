/** The second factor of the credential that is signed in to the console. Like its session, it is not part of the API. */
import type { FastifyRequest } from 'fastify';
import { getAdminCaller } from '../../../callers/callers.ts';
import type { FeaturePlugin } from '../../../lib/routes/feature-plugin.ts';
import { hashToken } from '../../../lib/secrets/tokens.ts';
import { formatTimestamp } from '../../../lib/time/clock.ts';
import { sessionToken } from '../../../plugins/access/console-request.ts';
import { credentialRequired } from '../../../problems/challenges.ts';
import { Problem } from '../../../problems/problem.ts';
import { findCredential } from '../../credentials/queries.ts';
import { credentialFactors } from '../../second-factor/queries.ts';
import * as schemas from '../schemas.ts';
import { type BeginEnrolmentDeps, beginEnrolment } from './begin-enrolment.ts';
import { disableTotp, renewRecoveryCodes } from './change-totp.ts';
import { confirmEnrolment } from './confirm-enrolment.ts';
import type { CodeRequest, WithCodeDeps } from './with-code.ts';

const path = '/console/totp';

/** Access of every route here: any credential may change its own second factor. */
const config = { access: 'admin', scope: 'any' } as const;

const FIRST_OWNER_HAS_NONE = 'ADMIN_TOKEN is a setting and has no second factor';

/**
 * Returns the named credential of the session.
 * @throws Problem unauthorized without a session, forbidden for ADMIN_TOKEN
 */
function getOwnCredential(request: Pick<FastifyRequest, 'caller'>): CodeRequest['credential'] {
  const { credential, session } = getAdminCaller(request);
  const { id } = credential;
  if (id === null) throw new Problem('forbidden', { text: FIRST_OWNER_HAS_NONE });
  // The credential itself was sent instead of a cookie.
  if (session === undefined) throw credentialRequired('admin');
  return { ...credential, id };
}

function toCodeRequest(
  request: Pick<FastifyRequest, 'caller' | 'clientIp'>,
  { code }: { readonly code: string },
): CodeRequest {
  return { credential: getOwnCredential(request), code, clientIp: request.clientIp };
}

export const consoleTotp: FeaturePlugin<WithCodeDeps & BeginEnrolmentDeps> = async (app, deps) => {
  const { database } = deps;
  app.get(
    path,
    { schema: { hide: true, response: { 200: schemas.totpStateSchema } }, config },
    async (request) => {
      const { id } = getOwnCredential(request);
      const enabledAt = (await findCredential(database, id))?.totp_enabled_at ?? null;
      const data = {
        enabled_at: enabledAt === null ? null : formatTimestamp(enabledAt),
        recovery_codes_left: await credentialFactors.countCodes(database, id),
      };
      return { message: 'Two-step sign-in', data };
    },
  );

  app.delete(path, { schema: { hide: true, body: schemas.codeSchema }, config }, async (request, reply) => {
    await disableTotp(deps, toCodeRequest(request, request.body));
    return reply.code(204).send();
  });

  app.post(
    `${path}/recovery-codes`,
    {
      schema: { hide: true, body: schemas.codeSchema, response: { 200: schemas.recoveryCodesSchema } },
      config,
    },
    async (request) => {
      const codes = await renewRecoveryCodes(deps, toCodeRequest(request, request.body));
      return { message: 'Recovery codes replaced', data: { recovery_codes: codes } };
    },
  );

  await app.register(enrolment, deps);
};

const enrolment: FeaturePlugin<WithCodeDeps & BeginEnrolmentDeps> = async (app, deps) => {
  app.post(
    `${path}/secret`,
    { schema: { hide: true, response: { 200: schemas.enrolmentSchema } }, config },
    async (request) => {
      const data = await beginEnrolment(deps, getOwnCredential(request));
      return { message: 'A code of the app is required', data };
    },
  );

  app.post(
    path,
    {
      schema: { hide: true, body: schemas.codeSchema, response: { 200: schemas.recoveryCodesSchema } },
      config,
    },
    async (request) => {
      const caller = getOwnCredential(request);
      // The cookie has authenticated the request.
      const sessionHash = hashToken(sessionToken(request.headers)!);
      const codes = await confirmEnrolment(deps, { caller, code: request.body.code, sessionHash });
      return { message: 'Two-step sign-in enabled', data: { recovery_codes: codes } };
    },
  );
};

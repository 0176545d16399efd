/** The second factor of the current user. */
import { getUserCaller } from '../../../callers/callers.ts';
import type { FeaturePlugin } from '../../../lib/routes/routes.ts';
import { describeEmpty, describeResponse } from '../../../plugins/openapi/describe-response.ts';
import type { AccountDeps } from '../sign-in/account-deps.ts';
import { toProof } from '../sign-in/require-proof.ts';
import { getCallerRecord } from '../tokens/find-token-caller.ts';
import { NOT_CACHED } from '../tokens/token-responses.ts';
import { beginTotp, confirmTotp, disableTotp, renewRecoveryCodes } from './change-totp.ts';
import * as examples from './examples.ts';
import * as schemas from './totp-schemas.ts';

const tags = ['Accounts'];
const path = '/api/v1/me/totp';
const CODES = { recovery_codes: examples.recoveryCodes };
const recoveryCodes = (message: string) =>
  describeResponse(schemas.recoveryCodesSchema, 'Ten recovery codes. They are shown only once.', {
    codes: { message, data: CODES },
  });

const APP_REQUIRED = 'A code of the app is required';

const beginRoute = {
  schema: {
    operationId: 'beginTotp',
    tags,
    summary: 'Add an authenticator app',
    description:
      'Returns a new secret, to be shown as a QR code of `uri`. The second factor is demanded after a code of the app has confirmed it. Repeated, it replaces a secret that was not confirmed.',
    body: schemas.proofBody,
    response: {
      200: describeResponse(schemas.enrolmentSchema, 'The secret. It is shown only once.', {
        secret: { message: APP_REQUIRED, data: examples.enrolment },
      }),
    },
  },
  config: { ...schemas.PROVEN, problems: ['totp_already_enabled', 'too_many_requests'] },
} as const;

const ENABLED = 'Two-step sign-in enabled';

const confirmRoute = {
  schema: {
    operationId: 'confirmTotp',
    tags,
    summary: 'Switch two-step sign-in on',
    description:
      'Each login needs a code from now on. Tokens and sessions stay valid. A wrong code counts as a failed login. The user gets a notice by email.',
    body: { ...schemas.codeSchema, examples: [{ code: examples.totpCode }] },
    response: { 200: recoveryCodes(ENABLED) },
  },
  config: {
    access: 'user',
    scope: 'self:write',
    limits: ['login'],
    problems: ['totp_already_enabled', 'too_many_requests'],
  },
} as const;

const withCode = { ...schemas.PROVEN, problems: ['totp_not_enabled', 'too_many_requests'] } as const;
const [proof] = schemas.proofBody.examples;
const body = { ...schemas.proofWithCodeSchema, examples: [{ ...proof, code: examples.totpCode }] };

const disableRoute = {
  schema: {
    operationId: 'disableTotp',
    tags,
    summary: 'Switch two-step sign-in off',
    description:
      'Deletes the app and the recovery codes. A wrong password or code counts as a failed login. The user gets a notice by email.',
    body,
    response: { 204: describeEmpty({ description: 'The password alone logs in again.' }) },
  },
  config: withCode,
} as const;

const REPLACED = 'Recovery codes replaced';

const renewRoute = {
  schema: {
    operationId: 'renewRecoveryCodes',
    tags,
    summary: 'Replace the recovery codes',
    description: 'Those before are not accepted any more. A wrong password or code counts as a failed login.',
    body,
    response: { 200: recoveryCodes(REPLACED) },
  },
  config: withCode,
} as const;

export const totp: FeaturePlugin<AccountDeps> = async (app, deps) => {
  app.post(path, beginRoute, async (request, reply) => {
    const data = await beginTotp(deps, toProof(request));
    return reply.headers(NOT_CACHED).send({ message: APP_REQUIRED, data });
  });

  app.post(`${path}/confirm`, confirmRoute, async (request, reply) => {
    const { body, clientIp } = request;
    const user = getCallerRecord(getUserCaller(request));
    const codes = await confirmTotp(deps, { user, clientIp, code: body.code });
    return reply.headers(NOT_CACHED).send({ message: ENABLED, data: { recovery_codes: codes } });
  });

  app.delete(path, disableRoute, async (request, reply) => {
    await disableTotp(deps, { ...toProof(request), code: request.body.code });
    return reply.code(204).send();
  });

  app.post(`${path}/recovery-codes`, renewRoute, async (request, reply) => {
    const proof = { ...toProof(request), code: request.body.code };
    const codes = await renewRecoveryCodes(deps, proof);
    return reply.headers(NOT_CACHED).send({ message: REPLACED, data: { recovery_codes: codes } });
  });
};

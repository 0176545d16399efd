/** Login with a code that is mailed. */
import type { FeaturePlugin } from '../../../lib/routes/routes.ts';
import { recordSchema } from '../../../lib/schema/json-schema.ts';
import { describeResponse } from '../../../plugins/openapi/describe-response.ts';
import { text } from '../../users/records/member-schemas.ts';
import type { AccountDeps } from '../sign-in/account-deps.ts';
import { issueLoginToken } from '../sign-in/log-in.ts';
import { requestCode } from '../sign-in/request-code.ts';
import { signInByCode } from '../sign-in/sign-in-by-code.ts';
import { tokenResponseSchema } from '../tokens/schemas.ts';
import { NOT_CACHED, tokenBody } from '../tokens/token-responses.ts';
import * as examples from './examples.ts';
import { loginCodeRequestSchema, loginCodeSchema } from './schemas.ts';

const tags = ['Accounts'];
const path = '/api/v1/login/codes';

const CODE_REQUESTED = 'If an account has this email, a code will be sent to it';

const requestCodeSchema = {
  operationId: 'requestLoginCode',
  tags,
  summary: 'Request a code to log in',
  description:
    'Mails a code to the active account with this email. It is valid for ten minutes and five tries, with the challenge of the response; another one for the same email and network replaces it. The response is the same for every email. Needs `EMAIL_CODE_SIGN_IN=on`.',
  body: { ...loginCodeRequestSchema, examples: [{ email: examples.credentials.email }] },
  response: {
    202: describeResponse(
      {
        title: 'LoginCodeResponse',
        ...recordSchema({
          message: text,
          challenge: { ...text, description: 'Needed to log in with the code. Keep it with the client.' },
        }),
      },
      'Accepted, whether or not there is an account.',
      { accepted: { message: CODE_REQUESTED, challenge: examples.challenge } },
    ),
  },
} as const;

const logInSchema = {
  operationId: 'logInWithCode',
  tags,
  summary: 'Log in with a code',
  description:
    'Returns a new token for a code from the mail, which is accepted once, and verifies the email. Case, spaces and dashes of the code do not matter. A user with a second factor gets 403 `second_factor_required` and a `challenge`. If nobody had verified the email before, its password, tokens, sessions and identities are deleted: another person may have registered it.',
  body: { ...loginCodeSchema, examples: [{ challenge: examples.challenge, code: examples.mailedCode }] },
  response: {
    200: describeResponse({ ...tokenResponseSchema, title: 'LoginResponse' }, 'Logged in.', {
      token: examples.token,
    }),
  },
} as const;

export const loginCodes: FeaturePlugin<AccountDeps> = async (app, deps) => {
  const issue = issueLoginToken(deps);
  const isOpenTo = () => deps.settings.current.emailCodeSignIn;

  const requestConfig = { access: 'public', isOpenTo, limits: ['login-code'] } as const;
  app.post(path, { schema: requestCodeSchema, config: requestConfig }, async (request, reply) => {
    const challenge = await requestCode(deps, { email: request.body.email, clientIp: request.clientIp });
    return reply.code(202).headers(NOT_CACHED).send({ message: CODE_REQUESTED, challenge });
  });

  const problems = ['invalid_email_code', 'second_factor_required'] as const;
  const logInConfig = { access: 'public', isOpenTo, limits: ['login'], problems } as const;
  app.post(
    `${path}/verify`,
    { schema: logInSchema, config: logInConfig },
    async ({ body, clientIp }, reply) => {
      const token = await signInByCode(deps, { ...body, clientIp, issue });
      return reply.headers(NOT_CACHED).send(tokenBody(token));
    },
  );
};

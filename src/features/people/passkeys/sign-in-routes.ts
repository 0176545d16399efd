/** Sign-in with a passkey, for pages of applications. */
import type { FeaturePlugin } from '../../../lib/routes/routes.ts';
import { recordSchema, text } from '../../../lib/schema/json-schema.ts';
import { optionalBody } from '../../../plugins/bodies/json-bodies.ts';
import { describeResponse } from '../../../plugins/openapi/describe-response.ts';
import { Problem } from '../../../problems/problem.ts';
import { email } from '../../users/records/member-schemas.ts';
import { token } from '../accounts/examples.ts';
import type { AccountDeps } from '../sign-in/account-deps.ts';
import { issueLoginToken } from '../sign-in/log-in.ts';
import { requireRelyingParty } from '../sign-in/relying-party.ts';
import { tokenResponseSchema } from '../tokens/schemas.ts';
import { NOT_CACHED, tokenBody } from '../tokens/token-responses.ts';
import { createSignInOptions } from './begin-ceremony.ts';
import { credentialSchema, examples, optionsSchema } from './passkey.ts';
import { signInWithPasskey } from './sign-in-with-passkey.ts';

const tags = ['Accounts'];
/** A real one has at most 6 KB. */
export const MAX_CREDENTIAL_BYTES = 16_384;
export const OPTIONS = 'Options of the browser';

const beginRoute = {
  schema: {
    operationId: 'beginPasskeyLogin',
    tags,
    summary: 'Begin a login with a passkey',
    description:
      'Returns the options for `PublicKeyCredential.parseRequestOptionsFromJSON()` and `navigator.credentials.get()`. Without an email, the browser offers all passkeys of this service. With one, `allowCredentials` lists those of its account; for an email without passkeys, the ids of some that do not exist. The page has to be one of `PUBLIC_URL` or `PASSKEY_ORIGINS`.',
    body: {
      title: 'PasskeyLoginOptionsRequest',
      type: 'object',
      properties: {
        email: { ...email, description: 'Optional. Whether it has an account is not revealed.' },
      },
      examples: [{ email: 'ada@example.com' }],
    },
    response: {
      200: describeResponse(optionsSchema, 'The options.', {
        options: { message: OPTIONS, data: examples.signInOptions },
      }),
    },
  },
  config: { access: 'public', limits: ['login'], problems: ['passkeys_unavailable'] },
} as const;

const loginRoute = {
  schema: {
    operationId: 'logInWithPasskey',
    tags,
    summary: 'Log in with a passkey',
    description:
      'Returns a new token, as a login with a password does. A passkey that has verified the person, by a fingerprint or PIN, counts as two factors. A user with a second factor whom it has not verified gets 403 `second_factor_required` and a `challenge`. The options are used up, whatever the response.',
    body: {
      title: 'PasskeyLoginRequest',
      ...recordSchema({ credential: credentialSchema }),
      examples: [{ credential: examples.assertion }],
    },
    response: {
      200: describeResponse({ ...tokenResponseSchema, title: 'LoginResponse' }, 'Logged in.', { token }),
    },
  },
  config: {
    access: 'public',
    limits: ['login'],
    problems: ['invalid_passkey', 'email_not_verified', 'second_factor_required', 'passkeys_unavailable'],
  },
  bodyLimit: MAX_CREDENTIAL_BYTES,
} as const;

const relatedOriginsRoute = {
  schema: {
    operationId: 'getRelatedOrigins',
    tags,
    summary: 'Get the related origins of passkeys',
    description:
      'Returns the origins of `PASSKEY_ORIGINS`, as browsers read them at the domain of the passkeys (WebAuthn Level 3, section 5.11).',
    response: {
      200: describeResponse(recordSchema({ origins: { type: 'array', items: text } }), 'The origins.', {
        origins: { origins: ['https://app.example.net'] },
      }),
    },
  },
  config: { access: 'public', limits: ['documents'], problems: ['not_found'] },
} as const;

export const passkeyLogin: FeaturePlugin<AccountDeps> = async (app, deps) => {
  const issue = issueLoginToken(deps);

  app.post(
    '/api/v1/login/passkey/options',
    { ...beginRoute, preValidation: optionalBody },
    async (request, reply) => {
      const relyingParty = requireRelyingParty(deps, request);
      const data = await createSignInOptions(deps, { relyingParty, binding: '', email: request.body.email });
      return reply.headers(NOT_CACHED).send({ message: OPTIONS, data });
    },
  );

  app.post('/api/v1/login/passkey', loginRoute, async (request, reply) => {
    const { body, clientIp } = request;
    const relyingParty = requireRelyingParty(deps, request);
    const login = { ...body, relyingParty, binding: '', clientIp };
    const issued = await signInWithPasskey(deps, login, issue);
    return reply.headers(NOT_CACHED).send(tokenBody(issued));
  });

  app.get('/.well-known/webauthn', relatedOriginsRoute, async () => {
    const origins = deps.relyingParty?.related ?? [];
    if (origins.length === 0) throw new Problem('not_found');
    return { origins };
  });
};

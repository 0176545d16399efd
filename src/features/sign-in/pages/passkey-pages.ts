/** The sign-in with a passkey on the page to sign in, and the addition of one to the account of the session. */
import type { FastifyRequest } from 'fastify';
import { recordSchema } from '../../../lib/schema/json-schema.ts';
import { hashToken, newRandomToken } from '../../../lib/secrets/tokens.ts';
import { Problem } from '../../../problems/problem.ts';
import type { HostedPage, PageContext, PageRequest } from '../../pages/hosted/page.ts';
import type { FormRoute, Outcome } from '../../pages/hosted/page-routes.ts';
import { toDestination } from '../../pages/hosted/way.ts';
import { createPasskeyOptions, createSignInOptions } from '../../people/passkeys/begin-ceremony.ts';
import { addPasskey } from '../../people/passkeys/change-passkeys.ts';
import { findByCredentialId } from '../../people/passkeys/queries.ts';
import { signInWithPasskey } from '../../people/passkeys/sign-in-with-passkey.ts';
import { getRpIdAt, requireRelyingParty } from '../../people/sign-in/relying-party.ts';
import { formatSessionCookie, readSessionCookie } from '../../people/sign-in/session-cookie.ts';
import { NOT_CACHED } from '../../people/tokens/token-responses.ts';
import type { Change } from './change-rule.ts';
import {
  type HostedPageDeps,
  isJustSignedIn,
  LOGIN,
  leadToSecondFactor,
  startSession,
} from './hosted-pages.ts';

const SIGN_IN = '/sign-in/passkey';
const OPTIONS = `${SIGN_IN}/options`;
/** The cookie to which challenges are bound: one for all tabs. */
const COOKIE = { name: 'frontdesk-passkey', maxAge: 300 } as const;
const MAX_CREDENTIAL_CHARACTERS = 16_384;

/** The body of a form that a script sends with a passkey. */
export const CREDENTIAL_BODY = recordSchema({
  credential: { type: 'string', maxLength: MAX_CREDENTIAL_CHARACTERS },
});

/** Returns the credential of such a form; an empty one, which is not accepted, for all that is no JSON object. */
export function readCredential(body: unknown): { readonly id?: unknown } {
  try {
    const credential = JSON.parse((body as { readonly credential: string }).credential);
    return typeof credential === 'object' && credential !== null ? credential : {};
  } catch {
    return {};
  }
}

export const getPageRpId = (deps: HostedPageDeps, { host }: Pick<PageContext, 'host'>) =>
  getRpIdAt(deps, host.replace(/:\d+$/, ''));

export const passkeyRoutes = (deps: HostedPageDeps): FormRoute[] => [
  {
    ...{ path: OPTIONS, fields: [], config: { limits: ['documents'] } },
    async send(_context, request): Promise<Outcome> {
      const { headers } = request;
      const relyingParty = requireRelyingParty(deps, request);
      const token = readSessionCookie(deps, headers, COOKIE.name) ?? newRandomToken();
      const options = await createSignInOptions(deps, { relyingParty, binding: hashToken(token) });
      return {
        body: JSON.stringify(options),
        headers: { 'content-type': 'application/json', ...NOT_CACHED },
        cookies: [formatSessionCookie(deps, headers, { ...COOKIE, token })],
      };
    },
  },
  {
    ...{ path: SIGN_IN, body: CREDENTIAL_BODY, config: LOGIN },
    send: (context, request) => enter(deps, context, request),
  },
];

async function enter(deps: HostedPageDeps, context: PageContext, request: FastifyRequest): Promise<Outcome> {
  const { headers, clientIp, body } = request;
  const relyingParty = requireRelyingParty(deps, request);
  const binding = hashToken(readSessionCookie(deps, headers, COOKIE.name) ?? '');
  const url = toDestination(context);
  try {
    const login = { credential: readCredential(body), relyingParty, binding, clientIp };
    return { url, cookies: [await signInWithPasskey(deps, login, startSession(deps, request))] };
  } catch (error) {
    if (isUsedUp(error) && (await isJustSignedIn(deps, request))) return { url };
    return leadToSecondFactor(deps, context, { headers, error });
  }
}

/** Whether the form was sent before. */
const isUsedUp = (error: unknown) => error instanceof Problem && error.options.reason === 'challenge';

/** Adds the sign-in with a passkey to the page to sign in, where this address has passkeys. */
export function offerPasskeys(
  deps: HostedPageDeps,
  context: PageContext,
  shown: { readonly page: HostedPage; request: Pick<PageRequest, 'body'>; problem?: Problem | undefined },
): HostedPage {
  const { page, request, problem } = shown;
  const rpId = getPageRpId(deps, context);
  if (rpId === null) return page;
  const { text } = context.texts;
  const { forms = [], providers = [] } = page;
  const isUnknown = problem?.options.reason === 'unknown_credential';
  const unknown = isUnknown && { rpId, credentialId: String(readCredential(request.body).id) };
  return {
    ...page,
    // Browsers offer passkeys in this field (WebAuthn Level 3, section 5.1.4.1).
    forms: forms.map((form) => ({ ...form, fields: form.fields.map(toConditional) })),
    passkey: {
      action: context.toUrl(SIGN_IN),
      optionsUrl: context.basePath + OPTIONS,
      label: text('people.passkey.sign_in'),
      failed: text('people.passkey.not_signed_in'),
      ...(forms.length + providers.length === 0 && { unsupported: text('people.passkey.unsupported') }),
      ...(unknown && { unknown }),
    },
  };
}

const toConditional = <T extends { readonly name: string; readonly autocomplete: string }>(field: T) =>
  field.name === 'email' ? { ...field, autocomplete: 'username webauthn' } : field;

const toCeremony = (deps: HostedPageDeps, { request, session }: Pick<Change, 'session' | 'request'>) => ({
  relyingParty: requireRelyingParty(deps, request),
  binding: hashToken(session.id),
});

/** Shows the session the options of a new passkey. @throws Problem as `createPasskeyOptions` */
export async function beginPasskey(deps: HostedPageDeps, change: Change) {
  const passkey = await createPasskeyOptions(deps, change, toCeremony(deps, change));
  await deps.database.transaction((tx) => deps.shownOnce.keep(tx, change.session, { passkey }));
}

/**
 * Stores the passkey of the form. One that is sent again is that of the account already. The options are used up, whatever
 * the outcome. @throws Problem invalid_passkey, too_many_passkeys
 */
export async function addOwnPasskey(deps: HostedPageDeps, { session, request, texts }: Change) {
  const { userId } = session;
  const credential = readCredential(request.body);
  const securityKey = texts.text('people.passkeys.security_key');
  try {
    await addPasskey(deps, { userId, credential, securityKey, ...toCeremony(deps, { session, request }) });
  } catch (problem) {
    const own = await findByCredentialId(deps.database, String(credential.id));
    if (own?.user_id === userId) return;
    const isRejected = problem instanceof Problem && problem.code === 'validation_failed';
    throw isRejected ? new Problem('invalid_passkey') : problem;
  } finally {
    if ((await deps.shownOnce.find(session)).passkey) await deps.shownOnce.forget(session);
  }
}

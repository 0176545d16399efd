/** The page on which a code from the mail is entered. Its URL names the sign-in: each tab has its own. */
import type { FastifyRequest } from 'fastify';
import { hashToken } from '../../../lib/secrets/tokens.ts';
import { findPreferredLocale } from '../../../lib/text/locale.ts';
import { wrongMailCode } from '../../../problems/challenges.ts';
import { Problem } from '../../../problems/problem.ts';
import { isDelivered } from '../../mail/settings.ts';
import type { HostedPage, PageContext } from '../../pages/hosted/page.ts';
import { createForm, type FieldName } from '../../pages/hosted/page-forms.ts';
import type { PageGroup } from '../../pages/hosted/page-routes.ts';
import { readQuery, toDestination } from '../../pages/hosted/way.ts';
import { findSignInCode } from '../../people/sign-in/mailed-code-queries.ts';
import { requestAnotherCode, requestCode } from '../../people/sign-in/request-code.ts';
import { formatChallengeCookie } from '../../people/sign-in/session-cookie.ts';
import { signInByCode } from '../../people/sign-in/sign-in-by-code.ts';
import {
  type HostedPageDeps,
  LOGIN,
  leadOnIfDone,
  leadToSecondFactor,
  readStep,
  startSession,
  toSignIn,
} from './hosted-pages.ts';

const CODE = '/sign-in/code';
const ANOTHER = `${CODE}/again`;
const CODE_SECONDS = 600;

export const mailsCodes = ({ settings: { current } }: HostedPageDeps) => current.emailCodeSignIn;

/** Mails a code to a person who signs in or, with a name, up, and leads to the page on which it is entered. */
export async function mailAndShow(
  deps: HostedPageDeps,
  context: PageContext,
  request: Pick<FastifyRequest, 'headers' | 'body' | 'clientIp'>,
) {
  const { name, email } = request.body as { readonly name?: string; readonly email: string };
  return leadToCode(deps, context, {
    challenge: await requestCode(deps, { name: name ?? null, email, clientIp: request.clientIp }),
    headers: request.headers,
  });
}

function leadToCode(
  deps: HostedPageDeps,
  { toUrl }: PageContext,
  { challenge, headers }: { readonly challenge: string } & Pick<FastifyRequest, 'headers'>,
) {
  const { step, cookie } = formatChallengeCookie(deps, headers, { token: challenge, maxAge: CODE_SECONDS });
  return { url: toUrl(CODE, { step }), cookies: [cookie] };
}

export function codePages(deps: HostedPageDeps): PageGroup {
  const isOpenTo = () => mailsCodes(deps);
  const show = (context: PageContext, request: FastifyRequest) => codeView(deps, context, request);
  const leadOn = async (context: PageContext, request: FastifyRequest) =>
    leadOnIfDone(deps, context, { request, isWaiting: (await findWaiting(deps, request)) !== undefined });
  return {
    show,
    routes: [
      {
        ...{ path: CODE, config: { limits: ['documents'], isOpenTo } },
        get: async (context, request) =>
          (await leadOn(context, request)) ?? { page: await show(context, request) },
      },
      {
        ...{ path: CODE, fields: ['mail_code'], config: { ...LOGIN, isOpenTo } },
        send: async (context, request) =>
          (await leadOn(context, request)) ?? enterCode(deps, context, request),
      },
      {
        ...{ path: ANOTHER, fields: [], config: { limits: ['login-code'], isOpenTo } },
        async send(context, request) {
          const { challenge = '' } = readStep(deps, request);
          const isSent = await requestAnotherCode(deps, challenge);
          if (isSent) return leadToCode(deps, context, { challenge, headers: request.headers });
          return { page: await show(context, request) };
        },
      },
    ],
  };
}

const findWaiting = (deps: HostedPageDeps, request: FastifyRequest) =>
  findSignInCode(deps.database, hashToken(readStep(deps, request).challenge ?? ''), deps.clock());

async function enterCode(deps: HostedPageDeps, context: PageContext, request: FastifyRequest) {
  const { headers, clientIp, body } = request;
  const { challenge = '', expire } = readStep(deps, request);
  try {
    const cookie = await signInByCode(deps, {
      ...{ challenge, code: (body as { readonly mail_code: string }).mail_code, clientIp },
      locale: context.lang ?? findPreferredLocale(headers['accept-language']),
      hasCreated: (userId) => deps.signUpProof.isOwn(headers, userId),
      issue: startSession(deps, request),
    });
    return { url: toDestination(context), cookies: [cookie, expire()] };
  } catch (error) {
    if (error instanceof Problem && error.code === 'invalid_email_code') throw wrongMailCode();
    return leadToSecondFactor(deps, context, { headers, error });
  }
}

async function codeView(
  deps: HostedPageDeps,
  context: PageContext,
  request: FastifyRequest,
): Promise<HostedPage> {
  const { text } = context.texts;
  const waiting = await findWaiting(deps, request);
  const links = [{ ...toSignIn(context), label: text('page.identity.back') }];
  if (waiting === undefined) {
    const title = text('page.identity.request.title');
    return { title, paragraphs: [text('page.identity.request.text')], links };
  }
  const { step = '' } = readQuery(request.query);
  const toForm = (path: string, label: string, fields: readonly FieldName[]) => ({
    ...createForm(context, { path, label, fields, isMain: path === CODE }),
    action: context.toUrl(path, { step }),
  });
  const key = waiting.name === null ? 'people.mailed_code.sign_in' : 'people.mailed_code.sign_up';
  return {
    tone: 'mail',
    title: text('page.identity.confirm_email.title'),
    about: waiting.email,
    paragraphs: [text(isDelivered(deps.mail) ? key : 'page.outcome.mail_off.text')],
    forms: [
      toForm(CODE, text('people.sign_in.action'), ['mail_code']),
      toForm(ANOTHER, text('page.identity.mail-code.again'), []),
    ],
    links,
  };
}

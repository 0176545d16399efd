/** The page of the question that is asked before an identity is linked, and its forms. */
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { toSearch } from '../../../lib/routes/routes.ts';
import { hashToken } from '../../../lib/secrets/tokens.ts';
import * as answers from '../../identity-providers/linking/answer-question.ts';
import { findDecision, retryOutdated } from '../../identity-providers/linking/decide-linking.ts';
import { mailPendingCode, type SignInOutcome } from '../../identity-providers/linking/sign-in.ts';
import { findProvider } from '../../identity-providers/queries.ts';
import { SignInFailure } from '../../identity-providers/sign-in-failure.ts';
import { deletePending, findPending } from '../../identity-providers/upstream/queries.ts';
import type { HostedPage, PageContext } from '../../pages/hosted/page.ts';
import { createForm, type FieldName, type FormValues } from '../../pages/hosted/page-forms.ts';
import type { FormRoute, PageGroup } from '../../pages/hosted/page-routes.ts';
import { toDestination } from '../../pages/hosted/way.ts';
import { findCredentialsById } from '../../users/records/queries.ts';
import { type HostedPageDeps, isJustSignedIn, LOGIN, readChallenge, startSession } from './hosted-pages.ts';
import { QUESTION_PATH, readBrowserToken, toOutcome } from './provider-pages.ts';

interface Step {
  readonly fields: readonly FieldName[];
  readonly answer: (
    deps: HostedPageDeps,
    answer: answers.Answer,
    request: { readonly headers: IncomingHttpHeaders; readonly values: FormValues },
  ) => Promise<SignInOutcome>;
}

/** By the last segment of the path of their form. */
const STEPS = {
  code: {
    fields: ['mail_code'],
    answer: (deps, answer, { values }) => answers.confirmCode(deps, answer, values.mail_code!),
  },
  'mail-code': {
    fields: [],
    async answer(deps, { arrival }) {
      await deps.database.transaction((tx) => mailPendingCode(deps, tx, arrival));
      return { kind: 'question' };
    },
  },
  password: {
    fields: ['current_password'],
    answer: (deps, answer, { values }) =>
      answers.provePassword(deps, answer, values.current_password ?? '').catch((error) => ({
        kind: 'challenge',
        challenge: readChallenge(error),
      })),
  },
  'not-mine': { fields: [], answer: answers.answerNotMine },
  link: {
    fields: [],
    answer: async (deps, answer, { headers }) =>
      answers.linkBySession(deps, answer, await deps.signInSessions.find(headers)),
  },
} as const satisfies Readonly<Record<string, Step>>;

type StepName = keyof typeof STEPS;

/** Forms by question; the first is the main one. */
const QUESTIONS: Readonly<Record<string, readonly StepName[]>> = {
  confirm_email: ['code', 'mail-code'],
  ask_owner: ['password', 'not-mine'],
  prove_account: ['password', 'mail-code'],
  prove_account_mailed: ['code', 'password', 'mail-code'],
  link: ['link'],
};

/** Other ways, not helps of the first. */
const APART: readonly StepName[] = ['password', 'not-mine'];

export const questionPages = (deps: HostedPageDeps): PageGroup => ({
  show: async (context, request) =>
    questionView(deps, context, { ...(await requirePending(deps, request)), headers: request.headers }),
  routes: [
    { path: QUESTION_PATH },
    ...Object.entries<Step>(STEPS).map(
      ([name, { fields, answer }]): FormRoute => ({
        ...{ path: `${QUESTION_PATH}/${name}`, fields, config: LOGIN },
        async send(context, request) {
          const { headers, body } = request;
          const waiting = await findWaiting(deps, request);
          const outcome =
            waiting &&
            (await answer(deps, waiting, { headers, values: body as FormValues }).catch(async (failure) => {
              // The same form may have been answered meanwhile.
              if ((await findWaiting(deps, request)) === null) return null;
              throw failure;
            }));
          if (outcome === null) return { url: toDestination(context) };
          const afterCode = addReturnTo(QUESTION_PATH, context);
          return toOutcome(deps, { ...context, request, afterCode }, outcome);
        },
      }),
    ),
  ],
});

const addReturnTo = (path: string, { returnTo }: PageContext) => path + toSearch({ return_to: returnTo });

/** Returns null if none waits because the person has just signed in: the form was sent before. @throws SignInFailure */
const findWaiting = (deps: HostedPageDeps, request: FastifyRequest) =>
  requirePending(deps, request).catch(async (failure) => {
    if (await isJustSignedIn(deps, request)) return null;
    throw failure;
  });

/** Returns the identity that waits for an answer in this browser. @throws SignInFailure */
async function requirePending(deps: HostedPageDeps, request: FastifyRequest): Promise<answers.Answer> {
  const browserHash = hashToken(readBrowserToken(deps, request) ?? '');
  const pending = await findPending(deps.database, browserHash, deps.clock());
  const provider = pending && (await findProvider(deps.database, pending.provider_id));
  if (pending === undefined || provider?.enabled !== 1 || provider.issuer !== pending.issuer)
    throw new SignInFailure('request', provider?.name ?? '');
  const { issuer, subject, email, name, email_verified } = pending;
  const issue = startSession(deps, request);
  const arrival = {
    ...{ provider, browserHash, clientIp: request.clientIp, isCodeConfirmed: false, linking: null },
    identity: { issuer, subject, email, name, isEmailVerified: email_verified === 1 },
    async issue(...[tx, admitted]: Parameters<typeof issue>) {
      await deletePending(tx, browserHash);
      return issue(tx, admitted);
    },
  };
  return { pending, arrival };
}

async function questionView(
  deps: HostedPageDeps,
  context: PageContext,
  { pending, arrival, headers }: answers.Answer & Pick<FastifyRequest, 'headers'>,
): Promise<HostedPage> {
  const { database } = deps;
  const { text } = context.texts;
  const { decision, account } = await retryOutdated(() =>
    database.transaction((tx) => findDecision(tx, arrival)),
  );
  const session = await deps.signInSessions.find(headers);
  const isOwner = session !== undefined && session.userId === account?.id;
  // The page of an unverified email is the same with an unclaimed account.
  const asked = decision === 'mail_claim' ? 'confirm_email' : decision;
  const question = isOwner && session.authenticatedAt >= pending.created_at ? 'link' : asked;
  const isMailed = question === 'prove_account' && pending.code_id !== null;
  const all = QUESTIONS[isMailed ? 'prove_account_mailed' : question];
  if (all === undefined) throw new SignInFailure('request', arrival.provider.name);
  const credentials = account && (await findCredentialsById(database, account.id));
  const hasPassword = credentials?.password_hash && deps.settings.current.passwordSignIn;
  const steps = all.filter((step) => step !== 'password' || hasPassword);
  const values = { provider: arrival.provider.name, email: pending.email };
  const back = context.toUrl('/sign-in', { return_to: addReturnTo(QUESTION_PATH, context) });
  const shown = question === 'ask_owner' && !hasPassword ? 'ask_owner.other' : question;
  const canSignIn = ['ask_owner.other', 'confirm_email', 'prove_account'].includes(shown);
  return {
    title: text(`page.identity.${question as 'link'}.title`, values),
    paragraphs: [text(`page.identity.${shown as 'link'}.text`, values)],
    forms: createForms(context, steps),
    links: canSignIn ? [{ href: back, label: text('page.identity.back') }] : [],
  };
}

/** Returns the forms of the steps; a choice that deletes data is never the main one. */
function createForms(context: PageContext, steps: readonly StepName[]) {
  const { text } = context.texts;
  const isAgain = steps.includes('code');
  return steps.map((step, index) =>
    createForm(context, {
      path: `${QUESTION_PATH}/${step}`,
      label: text(
        step === 'mail-code' && isAgain ? 'page.identity.mail-code.again' : `page.identity.${step}.action`,
      ),
      fields: STEPS[step].fields,
      isMain: index === 0 && step !== 'not-mine',
      isApart: index > 0 && APART.includes(step),
      ...(step === 'not-mine' && { isDanger: true, text: text('page.identity.not-mine.text') }),
    }),
  );
}

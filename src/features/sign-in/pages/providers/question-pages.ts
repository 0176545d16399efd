/** The page of the question that is asked before an identity is linked, and its forms. */
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { FeaturePlugin } from '../../../../lib/routes/feature-plugin.ts';
import { hashToken } from '../../../../lib/secrets/tokens.ts';
import { optionalBody } from '../../../../plugins/json-bodies/json-bodies.ts';
import * as answers from '../../../identity-providers/linking/answer-question.ts';
import { findDecision, retryOutdated } from '../../../identity-providers/linking/decide-linking.ts';
import { mailCode } from '../../../identity-providers/linking/mailed-codes.ts';
import type { SignInOutcome } from '../../../identity-providers/linking/sign-in.ts';
import { findProvider } from '../../../identity-providers/queries.ts';
import { SignInFailure } from '../../../identity-providers/sign-in-failure.ts';
import { deletePending, findPending } from '../../../identity-providers/upstream/queries.ts';
import { sendPage } from '../../../pages/account-pages/page-view.ts';
import { findCredentialsById } from '../../../users/records/queries.ts';
import {
  createFormErrors,
  type HostedPageDeps,
  openHostedPage,
  type PageContext,
  readChallenge,
  requireSameOrigin,
  SHOWN,
  schema,
  startSession,
} from '../hosted-pages.ts';
import { createForm, type FieldName, type FormContext, formSchema } from '../page-forms.ts';
import { addReturnTo, QUESTION_PATH, sendOutcome } from './outcome-responses.ts';
import { readBrowserToken } from './provider-pages.ts';

type Values = Readonly<Partial<Record<FieldName, string>>>;

interface Step {
  readonly fields: readonly FieldName[];
  readonly answer: (
    deps: HostedPageDeps,
    answer: answers.Answer,
    request: { readonly headers: IncomingHttpHeaders; readonly values: Values },
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
      await deps.database.transaction((tx) => mailCode(deps, tx, arrival));
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

export const questionPages: FeaturePlugin<HostedPageDeps> = async (app, deps) => {
  const page = async (context: PageContext, request: FastifyRequest) =>
    questionPage(deps, context, { ...(await requirePending(deps, request)), headers: request.headers });
  const errorHandler = app.createPageErrorHandler(createFormErrors(deps, page));

  app.get(QUESTION_PATH, { schema, config: SHOWN, errorHandler }, async (request, reply) =>
    sendPage(reply, await page(await openHostedPage(deps, request), request as FastifyRequest)),
  );

  for (const [name, { fields, answer }] of Object.entries<Step>(STEPS)) {
    const options = {
      schema: { ...schema, body: formSchema(fields) },
      config: { access: 'public', limits: ['login'] },
      preValidation: optionalBody,
      errorHandler,
    } as const;
    app.post(`${QUESTION_PATH}/${name}`, options, async (request, reply) => {
      requireSameOrigin(request as FastifyRequest, deps);
      const waiting = await requirePending(deps, request as FastifyRequest);
      const values = request.body as Values;
      const outcome = await answer(deps, waiting, { headers: request.headers, values });
      const { returnTo } = await openHostedPage(deps, request);
      return sendOutcome(deps, reply, { outcome, returnTo, afterCode: addReturnTo(QUESTION_PATH, returnTo) });
    });
  }
};

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

async function questionPage(
  deps: HostedPageDeps,
  { texts: { text }, forms, returnTo, render }: PageContext,
  { pending, arrival, headers }: answers.Answer & Pick<FastifyRequest, 'headers'>,
) {
  const { database, basePath } = deps;
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
  const back = `${basePath}/sign-in?${new URLSearchParams({ return_to: addReturnTo(QUESTION_PATH, returnTo) })}`;
  const shown = question === 'ask_owner' && !hasPassword ? 'ask_owner.other' : question;
  const canSignIn = ['ask_owner.other', 'confirm_email', 'prove_account'].includes(shown);
  return render({
    title: text(`page.identity.${question as 'link'}.title`, values),
    paragraphs: [text(`page.identity.${shown as 'link'}.text`, values)],
    forms: createForms(forms, steps),
    links: canSignIn ? [{ href: back, label: text('page.identity.back') }] : [],
  });
}

/** Returns the forms of the steps; a choice that deletes data is never the main one. */
function createForms(context: FormContext, steps: readonly StepName[]) {
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

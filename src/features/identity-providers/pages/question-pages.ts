/** The page that asks what has to be known before an identity is linked, and its forms. */
import type { FastifyRequest } from 'fastify';
import type { FeaturePlugin } from '../../../lib/routes/feature-plugin.ts';
import { hashToken } from '../../../lib/secrets/tokens.ts';
import { isSameOrigin } from '../../../plugins/access/console-request.ts';
import { optionalBody } from '../../../plugins/json-bodies/json-bodies.ts';
import type { RenderProblem } from '../../../plugins/problems/error-response.ts';
import { Problem } from '../../../problems/problem.ts';
import type { MemberErrors } from '../../../problems/validation-failed.ts';
import { type PageRequest, sendPage } from '../../pages/account-pages/page-view.ts';
import {
  type Answer,
  answerNotMine,
  confirmCode,
  linkBySession,
  provePassword,
} from '../linking/answer-question.ts';
import { type Arrival, decideInRounds, findDecision } from '../linking/find-decision.ts';
import { mailCode } from '../linking/mailed-codes.ts';
import type { SignInOutcome } from '../linking/sign-in.ts';
import { findProvider, type ProviderRow } from '../queries.ts';
import { findPending, type PendingRow } from '../upstream/queries.ts';
import { UpstreamFailure } from '../upstream/upstream-failure.ts';
import { readBrowserToken } from './browser-cookie.ts';
import {
  createIdentityErrorPages,
  type ProviderPageDeps,
  QUESTION_PATH,
  renderIdentityPage,
  sendOutcome,
  startSession,
} from './outcome-pages.ts';
import { toQuestionPage } from './question-view.ts';

interface Waiting {
  readonly pending: PendingRow;
  readonly provider: ProviderRow;
  readonly arrival: Arrival;
}

/** Returns what waits for an answer in this browser. @throws UpstreamFailure */
async function requirePending(
  deps: ProviderPageDeps,
  { headers, clientIp }: Pick<FastifyRequest, 'headers' | 'clientIp'>,
): Promise<Waiting> {
  const token = readBrowserToken(deps.publicUrl, headers) ?? '';
  const pending = await findPending(deps.database, hashToken(token), deps.clock());
  const provider = pending && (await findProvider(deps.database, pending.provider_id));
  if (pending === undefined || provider?.enabled !== 1)
    throw new UpstreamFailure('request', provider ?? NONE);
  const { issuer, subject, email, name, email_verified } = pending;
  const identity = { issuer, subject, email, name, isEmailVerified: email_verified === 1 };
  const arrival = { provider, identity, isCodeConfirmed: false, linkingUser: null, clientIp };
  return { pending, provider, arrival };
}

const NONE = { name: '' };

const text = { type: 'string', maxLength: 4_096 } as const;
const schema = { hide: true, body: { type: 'object', properties: { code: text, password: text } } } as const;
const config = { access: 'public', limits: ['login'] } as const;

interface AnswerForm {
  readonly answer: Answer<string>;
  readonly headers: FastifyRequest['headers'];
  readonly code: string;
  readonly password: string;
}

/** Answers by the last segment of the path of their form. */
const ANSWERS: Readonly<
  Record<string, (deps: ProviderPageDeps, form: AnswerForm) => Promise<SignInOutcome<string>>>
> = {
  code: (deps, { answer, code }) => confirmCode(deps, answer, code),
  password: (deps, { answer, password }) => provePassword(deps, answer, password),
  'not-mine': (deps, { answer }) => answerNotMine(deps, answer),
  async link(deps, { answer, headers }) {
    const session = await deps.signInSessions.find(headers);
    if (session === undefined) throw new UpstreamFailure('request', answer.arrival.provider);
    await linkBySession(deps, answer, session);
    return { kind: 'linked' };
  },
  async 'mail-code'(deps, { answer: { pending } }) {
    await deps.database.transaction((tx) => mailCode(tx, pending, deps.clock()));
    return { kind: 'question', question: 'confirm_email' };
  },
};

export const questionPages: FeaturePlugin<ProviderPageDeps> = async (app, deps) => {
  const errorHandler = app.createPageErrorHandler(createErrorPages(deps));

  app.get(QUESTION_PATH, { schema: { hide: true }, config, errorHandler }, async (request, reply) =>
    sendPage(reply, await questionPage(deps, request as PageRequest & FastifyRequest)),
  );

  const options = { schema, config, preValidation: optionalBody, errorHandler };
  for (const [step, give] of Object.entries(ANSWERS))
    app.post(`${QUESTION_PATH}/${step}`, options, async (request, reply) => {
      const { headers, body } = request;
      if (!isSameOrigin(headers, deps.publicUrl)) throw new Problem('cross_site_request');
      const { provider, ...waiting } = await requirePending(deps, request);
      const answer = { ...waiting, issue: startSession(deps, request as FastifyRequest) };
      const { code = '', password = '' } = body;
      const outcome = await give(deps, { answer, headers, code, password });
      const returnTo = waiting.pending.return_to;
      return sendOutcome(deps, reply, { outcome, provider, returnTo, afterCode: QUESTION_PATH });
    });
};

/** A wrong code or password gets the page again, with its error. */
function createErrorPages(deps: ProviderPageDeps): RenderProblem {
  const renderOther = createIdentityErrorPages(deps);
  return (problem, request) => {
    const { errors } = problem.options;
    if (errors === undefined || Array.isArray(errors)) return renderOther(problem, request);
    return questionPage(deps, request as PageRequest & FastifyRequest, errors as MemberErrors);
  };
}

async function questionPage(
  deps: ProviderPageDeps,
  request: PageRequest & FastifyRequest,
  errors: MemberErrors = {},
) {
  const { pending, provider, arrival } = await requirePending(deps, request);
  const { decision, account } = await decideInRounds(deps.database, (tx) => findDecision(tx, arrival));
  const session = await deps.signInSessions.find(request.headers);
  const isOwner = session !== undefined && session.userId === account?.id;
  const { texts } = await deps.openPage(request);
  const values = { provider: provider.name, email: pending.email };
  const question = isOwner && session.authenticatedAt >= pending.created_at ? 'link' : decision;
  const page = toQuestionPage(deps, { texts, question, values, pending, errors });
  if (page === null) throw new UpstreamFailure('request', provider);
  return renderIdentityPage(deps, request, page);
}

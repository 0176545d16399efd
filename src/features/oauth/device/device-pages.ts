/** Pages on which a person confirms a device: the code, then who asks for what (RFC 8628 sections 3.3 and 5.4). */
import type { FastifyRequest } from 'fastify';
import type { DatabaseDeps } from '../../../database/database.ts';
import { toSearch } from '../../../lib/routes/routes.ts';
import { findApplication, isAllowed } from '../../applications/queries.ts';
import { recordEvent } from '../../events/record-event.ts';
import { nameDevice } from '../../pages/hosted/device-name.ts';
import type { HostedPage, PageContext } from '../../pages/hosted/page.ts';
import { createForm } from '../../pages/hosted/page-forms.ts';
import type { FormRoute, Outcome, PageGroup } from '../../pages/hosted/page-routes.ts';
import { readQuery } from '../../pages/hosted/way.ts';
import type { SignInSessions } from '../../people/sign-in/sessions.ts';
import { toDeniedPage } from '../authorize-pages.ts';
import { type DeviceRow, decideDevice, findByUserCode } from './queries.ts';
import { formatUserCode, type UserCodes } from './user-codes.ts';

export interface DevicePageDeps extends DatabaseDeps {
  readonly signInSessions: SignInSessions;
  readonly userCodes: UserCodes;
}

type Session = NonNullable<Awaited<ReturnType<SignInSessions['find']>>>;

const PATH = '/device';
const CONFIRM = `${PATH}/confirm`;
const config = { limits: ['documents'] } as const;

export const devicePages = (deps: DevicePageDeps): PageGroup => ({
  show: async (context, { query }) => toCodePage(context, readQuery(query).user_code),
  routes: [
    { path: PATH },
    {
      ...{ path: PATH, fields: ['user_code'], config },
      send: async (context, { body }) => ({ url: toConfirmUrl(context, body) }),
    },
    { path: CONFIRM, get: (context, request) => showDevice(deps, context, request) },
    decisionRoute(deps, 'allow'),
    decisionRoute(deps, 'deny'),
  ],
});

const toConfirmUrl = ({ toUrl }: PageContext, body: unknown) =>
  toUrl(CONFIRM, { user_code: formatUserCode((body as { readonly user_code: string }).user_code) });

const toCodePage = (context: PageContext, code = ''): HostedPage => ({
  title: context.texts.text('page.device.title'),
  paragraphs: [context.texts.text('page.device.text')],
  forms: [
    createForm(context, {
      ...{
        path: PATH,
        label: context.texts.text('page.device.continue'),
        fields: ['user_code'],
        isMain: true,
      },
      values: { user_code: code },
    }),
  ],
});

/** Shows what the person decides on, or has decided. Only people who are signed in can try codes. */
async function showDevice(
  { database, clock, signInSessions, userCodes }: DevicePageDeps,
  context: PageContext,
  { headers, query, clientIp }: FastifyRequest,
): Promise<Outcome> {
  const session = await signInSessions.find(headers);
  const { user_code: typed } = readQuery(query);
  const code = formatUserCode(typed ?? '');
  if (session === undefined) return { url: toSignInUrl(context, code) };
  const device = await userCodes.guard(clientIp, async () => {
    const found = await findByUserCode(database, userCodes.hash(code), clock());
    return [null, session.userId].includes(found?.user_id ?? null) ? found : undefined;
  });
  const found = device && (await findApplication(database, device.application_id));
  if (device === undefined || found === undefined) return toWrongCodePage(context, typed);
  const { name: application } = found;
  if (!(await isAllowed(database, found, session.userId))) {
    const signInUrl = toSignInUrl(context, code);
    return { page: toDeniedPage(context, { application, signInUrl }), status: 403 };
  }
  if (device.allowed === null) return { page: toQuestion(context, { device, application, code, session }) };
  const { text } = context.texts;
  const outcome = device.allowed === 1 ? 'allowed' : 'denied';
  return {
    page: {
      tone: device.allowed === 1 ? 'good' : 'lock',
      title: text(`page.device.${outcome}.title`, { application }),
      paragraphs: [text(`page.device.${outcome}.text`, { application })],
    },
  };
}

const toSignInUrl = ({ toUrl, returnTo }: PageContext, user_code: string) =>
  toUrl('/sign-in', { return_to: CONFIRM + toSearch({ user_code, return_to: returnTo }) });

/** The same for codes that are wrong, have expired, or were used. */
function toWrongCodePage(context: PageContext, typed: string | undefined): Outcome {
  const title = context.texts.text('page.device.wrong');
  const notice = { tone: 'failure', title, links: [] } as const;
  return { page: { ...toCodePage(context, typed), notice }, status: 400 };
}

function toQuestion(
  context: PageContext,
  asked: { device: DeviceRow; application: string; code: string; session: Session },
): HostedPage {
  const { text, time } = context.texts;
  const { application, code, device, session } = asked;
  const { network, created_at } = device;
  const program = nameDevice(context.texts, device.device);
  const from = [program, network].filter((part) => part !== null).join(', ') || text('page.device.unknown');
  const { name, email } = session.user;
  const account = [name, email].filter((part) => part !== null).join(' – ');
  const toForm = (action: 'allow' | 'deny') =>
    createForm(context, {
      ...{ path: `${PATH}/${action}`, label: text(`page.device.${action}`), fields: [] },
      ...{ hidden: [['user_code', code]], isMain: action === 'allow' },
    });
  return {
    title: text('page.device.confirm.title', { application }),
    paragraphs: [
      text('page.device.confirm.account', { application, account }),
      text('page.device.confirm.request', { time: time(created_at), from }),
      text('page.device.confirm.warning'),
    ],
    about: code,
    forms: [toForm('allow'), toForm('deny')],
    links: [{ href: toSignInUrl(context, code), label: text('page.device.other_account') }],
  };
}

/** Leads to the page of the device, which shows the outcome: also that of another press, and of a code that has ended. */
function decisionRoute(deps: DevicePageDeps, action: 'allow' | 'deny'): FormRoute {
  return {
    ...{ path: `${PATH}/${action}`, fields: ['user_code'], config },
    async send(context, { headers, body, clientIp }) {
      const url = toConfirmUrl(context, body);
      const session = await deps.signInSessions.find(headers);
      const code = (body as { readonly user_code: string }).user_code;
      // Without a session, the page leads to the sign-in.
      if (session !== undefined) await decide(deps, { action, session, code, clientIp });
      return { url };
    },
  };
}

function decide(
  { database, clock, userCodes }: DevicePageDeps,
  given: { action: 'allow' | 'deny'; session: Session; code: string; clientIp: string },
) {
  const { action, session, code, clientIp } = given;
  const { id: session_id, userId, amr, authenticatedAt: authenticated_at } = session;
  const now = clock();
  const allowed = action === 'allow' ? 1 : 0;
  const decision = { allowed, user_id: userId, session_id, amr: amr.join(' '), authenticated_at, now };
  return userCodes.guard(clientIp, () =>
    database.transaction(async (tx) => {
      const user_code_hash = userCodes.hash(code);
      const decided = await decideDevice(tx, { ...decision, user_code_hash });
      // Another press has decided.
      if (decided === undefined) return findByUserCode(tx, user_code_hash, now);
      const type = action === 'allow' ? 'device.authorized' : 'device.denied';
      const details = { application_id: decided.application_id };
      await recordEvent(tx, { type, userId, actor: 'user', details, now });
      return decided;
    }),
  );
}

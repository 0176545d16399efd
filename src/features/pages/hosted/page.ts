/** The model of a page for people: what it shows as data, rendered in the language, the brand and the way of the request. */
import { join } from 'node:path';
import type { Eta } from 'eta';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Database } from '../../../database/database.ts';
import type { AllowRedirect } from '../../../lib/outbound/redirect-policy.ts';
import {
  findServiceOrigin,
  getBasePath,
  isPlainHttp,
  type SerializedResponse,
  toSearch,
} from '../../../lib/routes/routes.ts';
import type { Problem } from '../../../problems/problem.ts';
import type { CurrentSettingsSource } from '../../../settings/run-time-settings.ts';
import type { PasswordPolicy } from '../../people/sign-in/password-policy.ts';
import type { SignInSessions } from '../../people/sign-in/sessions.ts';
import type { Texts } from '../../texts/texts.ts';
import type { UserRow } from '../../users/records/queries.ts';
import { APP_POLICY, allowFormAction, brandStyles, logoUrl, pageFiles } from '../assets/assets.ts';
import { type Notice, toNotice, toPlainHttpNotice } from './notices.ts';
import { hasPassword, type PageForm, type PageLink, readSentForm } from './page-forms.ts';
import type { PasskeyForm, Section } from './parts.ts';
import { readQuery, readWay, toDestination, type Way } from './way.ts';

export interface PageDeps {
  readonly database: Database;
  readonly settings: CurrentSettingsSource;
  readonly texts: Texts;
  readonly allowRedirect: AllowRedirect;
  readonly passwordPolicy: Pick<PasswordPolicy, 'kind' | 'minLength'>;
  readonly signInSessions: Pick<SignInSessions, 'find' | 'findStarted'>;
  /** A proxy may serve the service below its path. */
  readonly publicUrl: string;
}

export interface HostedPage {
  readonly title: string;
  /** The icon above the title. */
  readonly tone?: 'good' | 'mail' | 'warn' | 'clock' | 'lock';
  readonly paragraphs?: readonly string[];
  /** What the page is about, such as an address. */
  readonly about?: string | null;
  /** Above the page; without it, the reason why a form was rejected; null: neither. */
  readonly notice?: Notice | null;
  /** The person who is signed in, and where they can go on. */
  readonly person?: PageLink & { readonly mark: string; readonly name: string; readonly email: string };
  readonly forms?: readonly PageForm[];
  readonly passkey?: PasskeyForm | undefined;
  /** The form of an operator (forms/form-page.ts). */
  readonly answerForm?: object;
  readonly providers?: readonly (PageLink & { readonly mark: string })[];
  readonly links?: readonly PageLink[];
  readonly aside?: PageLink & { readonly text: string };
  readonly sections?: readonly Section[];
  /** Of the times; null: UTC, which a script replaces by that of the browser. */
  readonly timeZone?: string | null;
  /** A QR code as SVG, and the same secret as text. */
  readonly qr?: string;
  readonly secret?: string;
  readonly codes?: readonly string[];
  /** Where the codes are a file. */
  readonly downloadUrl?: string;
  /** Whether the step is done, and the application follows. */
  readonly isDone?: boolean;
  /** Whether the application leads to this page: its way on would end here again, and so the way back tells it of an error. */
  readonly isEntry?: boolean;
  /** Source to which its form is redirected afterwards, for `form-action`. */
  readonly formActionSource?: string | undefined;
}

/** The parts of a request on which a page depends. */
export type PageRequest = Pick<FastifyRequest, 'method' | 'headers' | 'query' | 'body'>;

/** A form that was rejected: `path` is that of the request. */
interface Rejection {
  readonly problem: Problem;
  readonly path: string;
  /** Where the sign-in leads that has failed; null: where the request says. */
  readonly returnTo: string | null;
}

/** What the texts, forms and links of a page depend on. */
export type PageContext = Awaited<ReturnType<typeof openPage>>;

/** Opens the page of a request; `rejection`: again, because its form was rejected. */
export async function openPage(deps: PageDeps, request: PageRequest, rejection?: Rejection) {
  const basePath = getBasePath(deps.publicUrl);
  const { kept, ...way } = await readRequestWay(deps, request, rejection);
  const { lang, target } = way;
  const { headers } = request;
  const person = await findPerson(deps, headers, rejection);
  const frame = await openFrame(deps, { headers, lang: lang ?? person.locale }, 'account');
  const texts = { ...frame.texts, time: (at: number) => frame.texts.time(at, person.zoneinfo) };
  const context = {
    /** That of the request, with its port. */
    host: headers.host ?? '',
    ...{ texts, basePath, passwordPolicy: deps.passwordPolicy, ...way, query: toSearch(kept) },
    sent: rejection === undefined ? null : readSentForm(request.body, rejection),
    /** Returns the URL of a page that keeps the way of the person, but for these parameters. */
    toUrl: (path: string, parameters: Readonly<Record<string, string | null>> = {}) =>
      basePath + path + toSearch({ ...kept, ...parameters }),
  };
  const getReason = (page: HostedPage) => {
    const forms = listForms(page);
    if (isPlainHttp(deps.publicUrl) && forms.some(hasPassword)) return toPlainHttpNotice(texts);
    return rejection && toNotice(context, rejection.problem, forms);
  };
  const languages = listLanguages(deps.texts, request, kept);
  return {
    ...context,
    render(page: HostedPage, status = 200): SerializedResponse {
      const { notice = getReason(page), formActionSource = target?.formActionSource } = page;
      const around = {
        onward: getOnward(deps, { ...way, basePath, headers: request.headers }, page),
        languages,
      };
      const template = page.sections === undefined ? 'page' : 'own-account';
      const headers = createHeaders(texts.language, formActionSource, page.passkey !== undefined);
      return { status, headers, body: frame.renderTemplate(template, { ...around, ...page, notice }) };
    },
  };
}

/** Returns language and time zone of the person who is signed in. Pages of failures, and of limits, read no more than they must. */
async function findPerson(
  { signInSessions }: PageDeps,
  headers: PageRequest['headers'],
  rejection: Rejection | undefined,
): Promise<Pick<UserRow, 'locale' | 'zoneinfo'>> {
  const isRead = rejection === undefined || rejection.problem.status < 429;
  const session = isRead ? await signInSessions.find(headers, { isUse: false }) : undefined;
  return session?.user ?? { locale: null, zoneinfo: null };
}

function readRequestWay(deps: PageDeps, request: PageRequest, rejection: Rejection | undefined) {
  const { problem, returnTo = null } = rejection ?? {};
  const begun = returnTo !== null && { return_to: returnTo };
  const isFailure = problem !== undefined && problem.status >= 500;
  return readWay(deps, { ...readQuery(request.query), ...begun }, { isFailure });
}

/** Returns where the person can go on from a page: to the application of the way, or that of the settings. */
function getOnward(
  { settings: { current }, publicUrl }: PageDeps,
  way: Way & Pick<PageRequest, 'headers'> & { readonly basePath: string },
  { isEntry }: HostedPage,
) {
  const { target } = way;
  if (target === null) return { href: way.redirectTo ?? current.appUrl, name: current.instanceName };
  const origin = findServiceOrigin(publicUrl, way.headers);
  const denialUrl = origin && target.toDenialUrl(origin);
  return { href: isEntry ? denialUrl : toDestination(way), name: target.name };
}

/** Scripts and styles of this service only. The other headers are those of all responses. */
function createHeaders(language: string, formActionSource: string | undefined, fetches: boolean) {
  const policy = formActionSource === undefined ? APP_POLICY : allowFormAction(formActionSource);
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': fetches ? `${policy}; connect-src 'self'` : policy,
    'x-robots-tag': 'noindex',
    'content-language': language,
  };
}

/** Returns the texts of a request, and what all pages have: the brand, and the files of an entry. `lang`: the language of the way. */
export async function openFrame(
  { settings, publicUrl, texts: all }: Pick<PageDeps, 'settings' | 'publicUrl' | 'texts'>,
  { headers, lang }: Pick<PageRequest, 'headers'> & { readonly lang: string | null },
  entry: 'account' | 'form',
) {
  const texts = await all.get(lang, headers['accept-language']);
  const engine = await loadEngine();
  const { current } = settings;
  const basePath = getBasePath(publicUrl);
  const { styles, ...files } = pageFiles(entry, basePath);
  const brand = { service: current.instanceName, logo: logoUrl(current, basePath) };
  const frame = { texts, ...brand, ...files, styles: [...styles, ...brandStyles(current, basePath)] };
  return {
    ...{ texts, moduleScripts: files.moduleScripts },
    renderTemplate: (template: 'page' | 'own-account', content: object): string =>
      engine.render(`${template}.html.eta`, { ...NOTHING, ...frame, ...content }),
  };
}

/** Lists that templates go through. */
const NOTHING = { paragraphs: [], forms: [], providers: [], links: [], languages: [], variant: '' };

/** Returns links to the same page in each language; none where it cannot be requested again. */
function listLanguages({ languages }: Texts, { method, query }: PageRequest, kept: object) {
  const given = readQuery(query);
  // The path of a form may have no page of its own, and the response of a provider (`state`) counts once.
  if (method !== 'GET' || 'state' in given) return [];
  return languages.map((language) => ({
    language,
    name: nameLanguage(language),
    href: toSearch({ ...given, ...kept, lang: language }),
  }));
}

const languageNames = new Map<string, string>();

/** Returns the name of a language in itself. Its formatter costs more than the page. */
export const nameLanguage = (language: string): string =>
  languageNames.getOrInsertComputed(
    language,
    () => new Intl.DisplayNames([language], { type: 'language' }).of(language)!,
  );

function listForms({ forms = [], sections = [] }: HostedPage): PageForm[] {
  const rows = sections.flatMap(({ form, rows }) => [
    form,
    ...rows.flatMap(({ action, other }) => [action, other]),
  ]);
  return [...forms, ...rows].filter((form): form is PageForm => form != null && 'fields' in form);
}

let loading: Promise<Eta> | null = null;

/** Loads the engine for the first page, because loading would delay the start. */
function loadEngine(): Promise<Eta> {
  const views = join(import.meta.dirname, '..', 'templates');
  loading ??= import('eta').then(
    ({ Eta }) => new Eta({ views, cache: true, autoTrim: false, autoEscape: true }),
  );
  return loading;
}

export function sendPage(reply: FastifyReply, { status, headers, body }: SerializedResponse): FastifyReply {
  return reply.code(status).headers(headers).send(body);
}

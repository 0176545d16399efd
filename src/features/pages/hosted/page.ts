/** The model of a page for people: what it shows as data, rendered in the language, the brand and the way of the request. */
import { join } from 'node:path';
import type { Eta } from 'eta';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Database } from '../../../database/database.ts';
import type { AllowRedirect } from '../../../lib/outbound/redirect-policy.ts';
import { isLocale } from '../../../lib/text/locale.ts';
import type { Problem } from '../../../problems/problem.ts';
import type { CurrentSettingsSource } from '../../../settings/run-time-settings.ts';
import { findReturnApplication } from '../../applications/queries.ts';
import type { PasswordPolicy } from '../../people/sign-in/password-policy.ts';
import { readReturnTo } from '../../people/sign-in/return-to.ts';
import type { Texts } from '../../texts/texts.ts';
import {
  APP_POLICY,
  allowFormAction,
  brandStyles,
  getBasePath,
  logoUrl,
  pageFiles,
} from '../assets/assets.ts';
import { type Notice, toNotice } from './notices.ts';
import { type PageForm, type PageLink, readSentForm } from './page-forms.ts';

export interface PageDeps {
  readonly database: Database;
  readonly settings: CurrentSettingsSource;
  readonly texts: Texts;
  readonly allowRedirect: AllowRedirect;
  readonly passwordPolicy: Pick<PasswordPolicy, 'kind' | 'minLength'>;
  /** A proxy may serve the service below its path. */
  readonly publicUrl: string;
}

/** A line of a section. */
interface Row {
  /** A letter that stands for the title. */
  readonly mark?: string;
  readonly title?: string;
  readonly badge?: { readonly tone: 'good' | 'warn' | 'note'; readonly label: string };
  readonly text?: string;
  /** The time in the text, which scripts show in the time zone of the person. */
  readonly at?: number;
  /** A link, a button, or a form with fields, which the person unfolds. */
  readonly action?: PageLink | PageForm | null;
  /** A button beside it. */
  readonly other?: PageForm;
}

export interface Section {
  readonly id: string;
  readonly title: string;
  readonly badge?: Row['badge'];
  readonly form?: PageForm;
  readonly rows: readonly Row[];
  /** Below the rows. */
  readonly help?: PageLink & { readonly text: string };
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
  /** The form of an operator (forms/form-page.ts). */
  readonly answerForm?: object;
  readonly providers?: readonly (PageLink & { readonly mark: string })[];
  readonly links?: readonly PageLink[];
  readonly aside?: PageLink & { readonly text: string };
  /** The sections of the own account. */
  readonly sections?: readonly Section[];
  /** A QR code as SVG, and the same secret as text. */
  readonly qr?: string;
  readonly secret?: string;
  readonly codes?: readonly string[];
  /** Where the codes are a file. */
  readonly downloadUrl?: string;
  /** Whether the step is done, and the application follows. */
  readonly isDone?: boolean;
  /** Source to which its form is redirected afterwards, for `form-action`. */
  readonly formActionSource?: string | undefined;
}

export interface RenderedPage {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The parts of a request on which a page depends. */
export type PageRequest = Pick<FastifyRequest, 'method' | 'headers' | 'query' | 'body'>;

/** A form that was rejected: `path` is that of the request. */
interface Rejection {
  readonly problem: Problem;
  readonly path: string;
}

/** What the texts, forms and links of a page depend on. */
export type PageContext = Awaited<ReturnType<typeof openPage>>;

/** Opens the page of a request; `rejection`: again, because its form was rejected. */
export async function openPage(deps: PageDeps, request: PageRequest, rejection?: Rejection) {
  const { settings, passwordPolicy } = deps;
  const basePath = getBasePath(deps.publicUrl);
  const { texts, frame, renderTemplate } = await openFrame(deps, request, 'account');
  const { kept, ...way } = await readWay(deps, request.query, rejection);
  const context = {
    ...{ texts, basePath, passwordPolicy, ...way, query: toSearch(kept) },
    /** What was sent to a form that was rejected. */
    sent: rejection === undefined ? null : readSentForm(request.body, rejection),
    /** Returns the URL of a page that keeps the way of the person, but for these parameters. */
    toUrl: (path: string, parameters: Readonly<Record<string, string | null>> = {}) =>
      basePath + path + toSearch({ ...kept, ...parameters }),
  };
  const getReason = (page: HostedPage) => rejection && toNotice(context, rejection.problem, listForms(page));
  const backUrl = way.redirectTo ?? settings.current.appUrl;
  const around = { ...frame, backUrl, languages: listLanguages(deps.texts, request, kept) };
  return {
    ...context,
    render(page: HostedPage, status = 200): RenderedPage {
      const { notice = getReason(page), formActionSource = way.target?.formActionSource } = page;
      const template = page.sections === undefined ? 'page' : 'own-account';
      const headers = createHeaders(texts.language, formActionSource);
      return { status, headers, body: renderTemplate(template, { ...around, ...page, notice }) };
    },
  };
}

/** Reads the way of a person from the query: where the last page leads, where the sign-in does, and the language. */
async function readWay({ database, allowRedirect }: PageDeps, given: unknown, rejection?: Rejection) {
  const query = readQuery(given);
  // A URL that is not allowed is ignored: the person could do nothing about it.
  const redirectTo = query.redirect_to === undefined ? null : allowRedirect(query.redirect_to);
  const returnTo = readReturnTo(query);
  // The page of a failure needs no database.
  const isFailure = rejection !== undefined && rejection.problem.status >= 500;
  const target = returnTo === null || isFailure ? null : await findReturnApplication(database, returnTo);
  const kept = { redirect_to: redirectTo, return_to: returnTo, lang: readLocale(query) };
  return { redirectTo, returnTo, target, kept };
}

/** Scripts and styles of this service only. The other headers are those of decision 0004. */
function createHeaders(language: string, formActionSource: string | undefined) {
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy':
      formActionSource === undefined ? APP_POLICY : allowFormAction(formActionSource),
    'x-robots-tag': 'noindex',
    'content-language': language,
  };
}

/** Returns the texts of a request, and what all pages have: the brand, and the files of an entry. */
export async function openFrame(
  { settings, publicUrl, texts: all }: Pick<PageDeps, 'settings' | 'publicUrl' | 'texts'>,
  { headers, query }: Pick<PageRequest, 'headers' | 'query'>,
  entry: 'account' | 'form',
) {
  const texts = await all.get(readLocale(readQuery(query)), headers['accept-language']);
  const engine = await loadEngine();
  const { current } = settings;
  const basePath = getBasePath(publicUrl);
  const { styles, ...files } = pageFiles(entry, basePath);
  const brand = { service: current.instanceName, logo: logoUrl(current, basePath) };
  return {
    texts,
    frame: { texts, ...brand, ...files, styles: [...styles, ...brandStyles(current, basePath)] },
    renderTemplate: (template: 'page' | 'own-account', content: object): string =>
      engine.render(`${template}.html.eta`, { ...NOTHING, ...content }),
  };
}

/** Lists that templates go through. */
const NOTHING = { paragraphs: [], forms: [], providers: [], links: [], languages: [], variant: '' };

type Query = Readonly<Partial<Record<string, string>>>;

/** Returns the parameters that occur once. A malformed path has no query. */
export function readQuery(query: unknown): Query {
  const entries = Object.entries(query ?? {}).filter(([, value]) => typeof value === 'string');
  return Object.fromEntries(entries);
}

/** Returns the language that was chosen, or that of the user, which links in messages have. */
export function readLocale({ lang }: Query): string | null {
  return lang !== undefined && isLocale(lang) ? lang : null;
}

/** Returns a query with its question mark; empty if all parameters are. */
export function toSearch(parameters: Readonly<Record<string, string | null | undefined>>): string {
  const given = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] != null);
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
}

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
function nameLanguage(language: string): string {
  const known = languageNames.get(language);
  if (known !== undefined) return known;
  const name = new Intl.DisplayNames([language], { type: 'language' }).of(language)!;
  languageNames.set(language, name);
  return name;
}

function listForms({ forms = [], sections = [] }: HostedPage): PageForm[] {
  const rows = sections.flatMap(({ form, rows }) => [form, ...rows.map(({ action }) => action)]);
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

export function sendPage(reply: FastifyReply, { status, headers, body }: RenderedPage): FastifyReply {
  return reply.code(status).headers(headers).send(body);
}

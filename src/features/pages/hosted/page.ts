/** Renders pages from templates, in the language of the link or of the request. */
import { join } from 'node:path';
import type { Eta } from 'eta';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AllowRedirect } from '../../../lib/outbound/redirect-policy.ts';
import { isLocale } from '../../../lib/text/locale.ts';
import { Problem } from '../../../problems/problem.ts';
import type { CurrentSettingsSource } from '../../../settings/run-time-settings.ts';
import { toPageQuery } from '../../mail/links/links.ts';
import type { Texts } from '../../texts/texts.ts';
import { APP_POLICY, brandStyles, logoUrl, pageFiles } from '../assets/assets.ts';

/** Scripts and styles of this service only. The other headers are those of decision 0004. */
const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': APP_POLICY,
  'x-robots-tag': 'noindex',
};

export interface LinkPage {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface PageContent {
  readonly status: number;
  readonly template:
    | 'set-password'
    | 'confirm-email'
    | 'request-link'
    | 'notice'
    | 'end-session'
    | 'hosted'
    | 'own-account';
  readonly title: string;
  /** Whether the page shows a form again, with its errors. */
  readonly isRejected?: boolean;
  /** Whether the step is done, and the application follows. */
  readonly isDone?: boolean;
  readonly [name: string]: unknown;
}

/** A page for one request: its texts, and where it leads. */
export type PageView = Awaited<ReturnType<OpenPage>>;

export type PageRequest = Pick<FastifyRequest, 'method' | 'headers' | 'query'>;
export type OpenPage = ReturnType<typeof createPages>;

export function createPages({
  settings,
  basePath,
  allowRedirect,
  ...deps
}: {
  readonly settings: CurrentSettingsSource;
  /** Path of PUBLIC_URL, below which a proxy serves the service; without a trailing slash. */
  readonly basePath: string;
  readonly texts: Texts;
  readonly allowRedirect: AllowRedirect;
}) {
  let languages: readonly Language[] = [];
  return async ({ method, headers, query: given }: PageRequest) => {
    // Without one if the path is malformed.
    const query = given ?? {};
    if (languages.length === 0) languages = deps.texts.languages.map(nameLanguage);
    const { instanceName: service, appUrl } = settings.current;
    const locale = findLocale(query);
    const texts = await deps.texts.get(locale, headers['accept-language']);
    const engine = await loadEngine();
    const redirectTo = findRedirect(query, allowRedirect);
    const logo = logoUrl(settings.current, basePath);
    const { styles, ...files } = pageFiles('account', basePath);
    const frame = {
      ...{ service, logo, texts, backUrl: redirectTo ?? appUrl, ...files },
      styles: [...styles, ...brandStyles(settings.current, basePath)],
      languages: isRepeatable(method, query)
        ? languages.map((language) =>
            linkLanguage(language, { ...(query as object), redirect_to: redirectTo }),
          )
        : [],
    };
    return {
      texts,
      /** Query that keeps the URL to which the last page leads, and the language; empty if none was requested. */
      redirectQuery: toPageQuery({ redirectTo: redirectTo ?? undefined, locale }),
      render({ status, template, ...content }: PageContent): LinkPage {
        const body = engine.render(`${template}.html.eta`, {
          ...{ isRejected: false, isDone: false, isEmbedded: false, variant: '' },
          ...frame,
          ...content,
        });
        return { status, headers: { ...HEADERS, 'content-language': texts.language }, body };
      },
    };
  };
}

/** Returns the URL of the query. One that is not allowed is ignored: the person could do nothing about it. */
export function findRedirect(query: unknown, allowRedirect: AllowRedirect): string | null {
  const { redirect_to: given } = query as Readonly<Record<string, unknown>>;
  return typeof given === 'string' ? allowRedirect(given) : null;
}

/** Returns the language of the user, which links in messages have. */
function findLocale(query: unknown): string | null {
  const { lang } = query as Readonly<Record<string, unknown>>;
  return typeof lang === 'string' && isLocale(lang) ? lang : null;
}

/** The path of a form may have no page of its own, and the response of a provider (`state`) counts once. */
const isRepeatable = (method: string, query: unknown) => method === 'GET' && !('state' in (query as object));

type Language = ReturnType<typeof nameLanguage>;

/** Returns a language with its own name. */
function nameLanguage(language: string) {
  return { language, name: new Intl.DisplayNames([language], { type: 'language' }).of(language) };
}

/** Adds the URL of the same page in this language. */
function linkLanguage(language: Language, query: object) {
  const given = Object.entries(query).filter(([, value]) => typeof value === 'string');
  const parameters = new URLSearchParams({ ...Object.fromEntries(given), lang: language.language });
  return { ...language, href: `?${parameters}` };
}

let loading: Promise<Eta> | null = null;

/** Loads the engine for the first page, because loading would delay the start. */
export function loadEngine(): Promise<Eta> {
  const views = join(import.meta.dirname, '..', 'templates');
  loading ??= import('eta').then(
    ({ Eta }) => new Eta({ views, cache: true, autoTrim: false, autoEscape: true }),
  );
  return loading;
}

export function sendPage(reply: FastifyReply, { status, headers, body }: LinkPage): FastifyReply {
  return reply.code(status).headers(headers).send(body);
}

/** Errors: Problem not_found while the pages are closed. */
export function addPageHooks(
  app: Pick<FastifyInstance, 'addHook'>,
  { settings }: { readonly settings: CurrentSettingsSource },
): void {
  app.addHook('onRequest', (_request, reply, done) => {
    // The text of pages and error pages depends on it (RFC 9110 section 12.5.5).
    reply.header('vary', `${reply.getHeader('vary')}, Accept-Language`);
    done(settings.current.hostedPages ? undefined : new Problem('not_found'));
  });
}

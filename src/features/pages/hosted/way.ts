/**
 * The way of a person through the pages: the application or page to which it leads, and the language. Links, forms and
 * messages carry it.
 */
import type { Database } from '../../../database/database.ts';
import type { AllowRedirect } from '../../../lib/outbound/redirect-policy.ts';
import { findLanguage, isLocale, toLocale } from '../../../lib/text/locale.ts';
import { findReturnApplication } from '../../applications/queries.ts';

type Query = Readonly<Partial<Record<string, string>>>;

interface WayDeps {
  readonly database: Database;
  readonly texts: { readonly languages: readonly string[] };
  readonly allowRedirect: AllowRedirect;
}

/** Returns the parameters that occur once. A malformed path has no query. */
export function readQuery(query: unknown): Query {
  const entries = Object.entries(query ?? {}).filter(([, value]) => typeof value === 'string');
  return Object.fromEntries(entries);
}

/**
 * Returns the language that a query names: `lang`, which people choose and links in messages have, or the first of
 * `ui_locales` for which there are texts (OpenID Connect Core 1.0 section 3.1.2.1).
 */
export function readLanguage({ lang, ui_locales = '' }: Query, { languages }: WayDeps['texts']) {
  if (lang !== undefined && isLocale(lang)) return lang;
  const named = ui_locales.split(' ', MAX_LANGUAGES).map(toLocale);
  return named.find((locale) => locale !== null && findLanguage(locale, languages) !== undefined) ?? null;
}

/** Returns where the last page leads, where the sign-in does, and the language. A failure (`isFailure`) needs no database. */
export async function readWay(
  { database, texts, allowRedirect }: WayDeps,
  query: Query,
  { isFailure }: { readonly isFailure: boolean },
) {
  // A URL that is not allowed is ignored: the person could do nothing about it.
  const redirectTo = query.redirect_to === undefined ? null : allowRedirect(query.redirect_to);
  const returnTo = readReturnTo(query);
  const end = returnTo === null ? null : findEnd(returnTo);
  const lang = readLanguage(query, texts) ?? (end === null ? null : readLanguage(parseQuery(end), texts));
  const target = end === null || isFailure ? null : await findReturnApplication(database, end);
  const kept = { redirect_to: redirectTo, return_to: returnTo, lang };
  return { redirectTo, returnTo, lang, target, kept };
}

/** Pages and clients name fewer. A query has room for hundreds, which would take long to read. */
const MAX_STEPS = 5;
const MAX_LANGUAGES = 20;

/** Returns the path to which a step of a sign-in leads, such as the question of an identity provider. */
function findEnd(path: string, steps = MAX_STEPS): string {
  const next = steps === 0 ? null : readReturnTo(parseQuery(path));
  return next === null ? path : findEnd(next, steps - 1);
}

const parseQuery = (path: string): Query =>
  Object.fromEntries(new URLSearchParams(path.slice(path.indexOf('?'))));

/** Returns the path to which a sign-in leads, in the language that was chosen. The console has one only. */
export function toEnd({ returnTo, lang }: Pick<Way, 'returnTo' | 'lang'>): string {
  const path = returnTo ?? '/account';
  if (lang === null || path.startsWith('/console')) return path;
  const [pathname = ''] = path.split('?', 1);
  const query = new URLSearchParams(path.slice(pathname.length));
  query.set(pathname === '/oauth/authorize' ? 'ui_locales' : 'lang', lang);
  return `${pathname}?${query}`;
}

export type Way = Omit<Awaited<ReturnType<typeof readWay>>, 'kept'>;

/** Returns the URL to which a sign-in leads. */
export const toDestination = ({
  basePath,
  ...way
}: Pick<Way, 'returnTo' | 'lang'> & { readonly basePath: string }) => basePath + toEnd(way);

export const isToConsole = ({ returnTo }: Pick<Way, 'returnTo'>) =>
  returnTo !== null && /^\/console(?:[/?]|$)/.test(returnTo);

/** Any host: only the path is used. */
const BASE = 'http://frontdesk.invalid';
const ALLOWED = /^\/(?:oauth\/authorize\?|(?:account|console|device)(?:[/?]|$)|sign-in\/)/;

/**
 * Returns the `return_to` of a query, if it is a path of this service to which a sign-in may lead, in the form in which a
 * browser requests it; otherwise null.
 */
export function readReturnTo({ return_to: returnTo }: { readonly return_to?: string }): string | null {
  if (returnTo === undefined || !returnTo.startsWith('/') || !URL.canParse(returnTo, BASE)) return null;
  const { origin, pathname, search } = new URL(returnTo, BASE);
  const path = pathname + search;
  return origin === BASE && ALLOWED.test(path) ? path : null;
}

/** Renders the pages of forms from templates, in the language of the request. */
import { isLocale } from '../../../lib/text/locale.ts';
import type { CurrentSettingsSource } from '../../../settings/run-time-settings.ts';
import type { PublishedForm } from '../../forms/definitions/definition.ts';
import type { Texts } from '../../texts/texts.ts';
import { loadEngine, type PageRequest } from '../account-pages/page-view.ts';
import { getBasePath, pageFiles } from '../assets/assets.ts';
import { brandStyles, logoUrl } from '../logo/logo-url.ts';

export interface FormViewDeps {
  readonly publicUrl: string;
  readonly settings: CurrentSettingsSource;
  readonly texts: Texts;
}

const TEMPLATES = {
  form: 'form-pages/templates/form.html.eta',
  notice: 'account-pages/templates/notice.html.eta',
} as const;

/** Returns the origins that may send answers, show the form and be led to. */
export function getOrigins({ row }: PublishedForm): readonly string[] {
  return JSON.parse(row.allowed_origins);
}

/** Returns the texts of a page for a request, and the function that renders it. form: null if there is none. */
export async function openFormPage(
  { publicUrl, settings, texts }: FormViewDeps,
  { headers, query }: PageRequest,
  form: PublishedForm | null,
) {
  const engine = await loadEngine();
  const { embed, lang } = query as Readonly<Record<string, unknown>>;
  const isEmbedded = embed === '1';
  const locale = typeof lang === 'string' && isLocale(lang) ? lang : null;
  const pageTexts = await texts.get(locale, headers['accept-language']);
  const { instanceName: service } = settings.current;
  const basePath = getBasePath(publicUrl);
  const origins = form === null ? [] : getOrigins(form);
  const { moduleScripts, styles, ...files } = pageFiles('form', basePath);
  const frame = {
    ...{ texts: pageTexts, service, logo: logoUrl(settings.current, basePath), ...files },
    styles: [...styles, ...brandStyles(settings.current, basePath)],
    ...{ isRejected: false, isDone: false, canRetry: false, backUrl: null, newLinkUrl: null },
    ...{ isEmbedded, origins, variant: isEmbedded ? ' public embedded' : ' public' },
    // Without a frame, the page has no script.
    ...{ themeScripts: [], moduleScripts: isEmbedded ? moduleScripts : [] },
  };
  const kept = { ...(isEmbedded ? { embed: '1' } : {}), ...(locale === null ? {} : { lang: locale }) };
  return {
    texts: pageTexts,
    /** Returns a URL of the form, in the same frame and language. */
    toUrl: (path: string, parameters: Readonly<Record<string, string>> = {}) => {
      const search = new URLSearchParams({ ...kept, ...parameters }).toString();
      return `${basePath}/f/${form?.row.id}${path}${search && '?'}${search}`;
    },
    render(status: number, template: keyof typeof TEMPLATES, content: object) {
      const body = engine.render(TEMPLATES[template], { ...frame, ...content });
      const headers = { ...getHeaders(origins, isEmbedded), 'content-language': pageTexts.language };
      return { status, headers, body };
    },
  };
}

export type FormPage = Awaited<ReturnType<typeof openFormPage>>;

/**
 * A form can be shown in frames of the allowed origins, and leads to them. Only in a frame, it has a script. Browsers
 * send the origin of a page only if it has another policy than `no-referrer`. With `no-store`, Back would load a form
 * again, without what was typed and with another key.
 */
function getHeaders(origins: readonly string[], isEmbedded: boolean) {
  const allowed = origins.join(' ');
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `default-src 'none'; script-src ${isEmbedded ? "'self'" : "'none'"}; style-src 'self'; img-src 'self' data:; font-src 'self'; form-action 'self' ${allowed}; base-uri 'none'; frame-ancestors ${allowed || "'none'"}; require-trusted-types-for 'script'; trusted-types 'none'`,
    'cache-control': 'private, no-cache',
    'referrer-policy': 'same-origin',
    'x-robots-tag': 'noindex',
  };
}

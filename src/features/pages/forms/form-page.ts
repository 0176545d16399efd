/** Renders the pages of forms from templates, in the language of the request. */
import { isLocale } from '../../../lib/text/locale.ts';
import { Problem, type ProblemCode } from '../../../problems/problem.ts';
import type { CurrentSettingsSource } from '../../../settings/run-time-settings.ts';
import type { AnswerError } from '../../forms/answers/check-answers.ts';
import { DECOY_NAME, type FormValues, REDIRECT_NAME } from '../../forms/answers/page-answers.ts';
import type { PublishedForm } from '../../forms/form-rules.ts';
import type { TextKey } from '../../texts/language-file.ts';
import type { Texts } from '../../texts/texts.ts';
import { brandStyles, getBasePath, logoUrl, pageFiles } from '../assets/assets.ts';
import { loadEngine, type PageRequest } from '../hosted/page.ts';
import { problemNotice } from '../links/step-route.ts';
import { toFieldViews } from './field-views.ts';

export interface FormViewDeps {
  readonly publicUrl: string;
  readonly settings: CurrentSettingsSource;
  readonly texts: Texts;
}

const TEMPLATES = {
  form: 'form.html.eta',
  notice: 'notice.html.eta',
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

/** Unknown names that are shown: a body has room for thousands. */
const MAX_UNKNOWN = 20;

/** problem: why the values were not stored. @throws the problem, unless the form can be corrected */
export function renderForm(
  { texts, toUrl, render }: FormPage,
  form: PublishedForm,
  {
    key,
    values = new Map(),
    problem,
  }: { readonly key: string; readonly values?: FormValues; readonly problem?: unknown },
) {
  const { title, description, fields } = form.definition;
  const { code, errors, status } = readProblem(problem);
  const views = toFieldViews({ fields, texts, values, errors });
  const unknown = errors.filter((error) => error.code === 'unknown').slice(0, MAX_UNKNOWN);
  const isAnswer = fields.some(({ label }) => label === REDIRECT_NAME);
  const text = (part: 'title' | 'text') => texts.text(`form.${code}.${part}`, { count: errors.length });
  return render(status, 'form', {
    ...{ title, description, views, unknown, decoy: DECOY_NAME, redirectName: REDIRECT_NAME },
    // Not the URL of the page: a browser that has sent a form to a URL loads it again, with another key, for Back.
    action: toUrl('', { key }),
    isRejected: problem !== undefined,
    summary: problem === undefined ? null : { title: text('title'), text: text('text') },
    redirect: isAnswer ? undefined : values.get(REDIRECT_NAME)?.[0],
  });
}

function readProblem(problem: unknown) {
  if (problem === undefined) return { code: 'errors' as const, errors: [], status: 200 };
  if (!(problem instanceof Problem)) throw problem;
  if (problem.code === 'form_state_conflict') return { code: 'changed' as const, errors: [], status: 409 };
  if (problem.code !== 'validation_failed') throw problem;
  return { code: 'errors' as const, errors: problem.options.errors as unknown as AnswerError[], status: 422 };
}

const STATES = {
  form_not_found: ['not_found', 'warn'],
  unauthorized: ['token', 'lock'],
  form_not_open: ['not_open', 'clock'],
  form_closed: ['closed', 'lock'],
  form_full: ['full', 'lock'],
  cross_site_request: ['origin', 'warn'],
} as const satisfies Partial<Record<ProblemCode, readonly [string, string]>>;

/** Whether the problem says why a form cannot be filled in now, and its page is what the client asked for. */
export function isFormState({ code, status }: Problem): boolean {
  return code in STATES && status !== 403 && status !== 404;
}

/** Renders a problem. sent: whether answers were sent, by a page that can be sent again. */
export function renderNotice(
  { texts, render }: FormPage,
  problem: Problem,
  { form, sent }: { readonly form: PublishedForm | null; readonly sent: 'once' | 'repeatable' | null },
) {
  const { status, code } = problem;
  const show = (tone: string, title: string, paragraphs: readonly string[]) =>
    render(status, 'notice', { tone, title, paragraphs });
  const state = STATES[code as keyof typeof STATES];
  if (state === undefined) {
    const { title, paragraphs } = problemNotice(problem, null, texts);
    return show('warn', title, [
      ...(status === 429 && sent !== null ? [texts.text('form.not_stored')] : []),
      ...paragraphs,
      ...(sent === 'repeatable' ? [texts.text('form.resend')] : []),
    ]);
  }
  const [name, tone] = state;
  const values = { title: form?.definition.title ?? '', time: texts.time(form?.row.opens_at ?? 0) };
  const text = (part: 'title' | 'text') => texts.text(`form.${name}.${part}` satisfies TextKey, values);
  return show(tone, text('title'), [text('text'), ...(sent === null ? [] : [texts.text('form.not_stored')])]);
}

/** Pages of forms: their frame, the form itself, also with the errors of answers that were sent, and why it is not shown. */
import { getBasePath, toSearch } from '../../../lib/routes/routes.ts';
import { Problem, type ProblemCode } from '../../../problems/problem.ts';
import type { AnswerError } from '../../forms/answers/check-answers.ts';
import { DECOY_NAME, type FormValues, REDIRECT_NAME } from '../../forms/answers/page-answers.ts';
import type { PublishedForm } from '../../forms/definitions/definition.ts';
import type { TextKey } from '../../texts/language-file.ts';
import { toProblemPage } from '../hosted/notices.ts';
import { type HostedPage, openFrame, type PageDeps, type PageRequest } from '../hosted/page.ts';
import { readLanguage, readQuery } from '../hosted/way.ts';
import { toFieldView } from './field-views.ts';

export type FormViewDeps = Pick<PageDeps, 'publicUrl' | 'settings' | 'texts'>;

/** Returns the origins that may send answers, show the form and be led to. */
export const getOrigins = ({ row }: PublishedForm): readonly string[] => JSON.parse(row.allowed_origins);

/** Returns the texts of a page for a request, and the function that renders it. form: null if there is none. */
export async function openFormPage(deps: FormViewDeps, request: PageRequest, form: PublishedForm | null) {
  const query = readQuery(request.query);
  const isEmbedded = query.embed === '1';
  const lang = readLanguage(query, deps.texts);
  const { texts, moduleScripts, renderTemplate } = await openFrame(
    deps,
    { headers: request.headers, lang },
    'form',
  );
  const origins = form === null ? [] : getOrigins(form);
  const kept = { embed: isEmbedded ? '1' : null, lang };
  const view = {
    ...{ isEmbedded, origins, variant: isEmbedded ? ' public embedded' : ' public' },
    // Without a frame, the page has no script.
    ...{ themeScripts: [], moduleScripts: isEmbedded ? moduleScripts : [] },
  };
  const path = `${getBasePath(deps.publicUrl)}/f/${form?.row.id}`;
  return {
    texts,
    /** Returns a URL of the form, in the same frame and language. */
    toUrl: (rest: string, parameters: Readonly<Record<string, string>> = {}) =>
      path + rest + toSearch({ ...kept, ...parameters }),
    render(page: HostedPage, status = 200) {
      const headers = { ...getHeaders(origins, isEmbedded), 'content-language': texts.language };
      return { status, headers, body: renderTemplate('page', { ...view, ...page }) };
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
    writeKey,
    values = new Map(),
    problem,
  }: { readonly writeKey: () => string; readonly values?: FormValues; readonly problem?: unknown },
) {
  const { title, description, fields } = form.definition;
  const { code, errors, status } = readProblem(problem);
  const views = fields.map((field, index) => toFieldView(field, `f${index}`, { texts, values, errors }));
  const unknown = errors.filter((error) => error.code === 'unknown').slice(0, MAX_UNKNOWN);
  const isAnswer = fields.some(({ label }) => label === REDIRECT_NAME);
  const text = (part: 'title' | 'text') => texts.text(`form.${code}.${part}`, { count: errors.length });
  const wrong = views.filter((view) => view.error !== null);
  const links = [
    ...wrong.map(({ id, title: name, error }) => ({ href: `#${id}`, name, label: error! })),
    ...unknown.map(({ field: name }) => ({ name, label: texts.text('form.error.unknown') })),
  ];
  const page: HostedPage = {
    title,
    ...(problem !== undefined && {
      notice: { tone: 'failure', title: text('title'), text: text('text'), links },
    }),
    answerForm: {
      ...{ description, views, decoy: DECOY_NAME, redirectName: REDIRECT_NAME },
      // Not the URL of the page: a browser that has sent a form to a URL loads it again, with another key, for Back.
      action: toUrl('', { key: writeKey() }),
      redirect: isAnswer ? undefined : values.get(REDIRECT_NAME)?.[0],
    },
  };
  return render(page, status);
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
  unsupported_media_type: ['origin', 'warn'],
  invalid_payload: ['origin', 'warn'],
  payload_too_large: ['too_large', 'warn'],
} as const satisfies Partial<Record<ProblemCode, readonly [name: string, tone: HostedPage['tone']]>>;

/** Whether the problem says why a form cannot be filled in now, and its page is what the client asked for. */
export function isFormState({ code, status }: Problem): boolean {
  return code in STATES && status !== 403 && status !== 404;
}

/** Renders a problem. sent: whether answers were sent, by a page that can be sent again. */
export function renderNotice(
  { texts, toUrl, render }: FormPage,
  problem: Problem,
  { form, sent }: { readonly form: PublishedForm | null; readonly sent: 'once' | 'repeatable' | null },
) {
  const { status, code } = problem;
  const state = STATES[code as keyof typeof STATES];
  const notStored = texts.text('form.not_stored');
  if (state === undefined) {
    const { tone, title, paragraphs } = toProblemPage({ texts, toUrl }, problem, null);
    const before = status === 429 && sent !== null ? [notStored] : [];
    const after = sent === 'repeatable' ? [texts.text('form.resend')] : [];
    return render({ tone, title, paragraphs: [...before, ...paragraphs, ...after] }, status);
  }
  const [name, tone] = state;
  const time = texts.time(form?.row.opens_at ?? 0, form?.row.time_zone);
  const values = { title: form?.definition.title ?? '', time };
  const text = (part: 'title' | 'text') => texts.text(`form.${name}.${part}` satisfies TextKey, values);
  const paragraphs = [text('text'), ...(sent === null ? [] : [notStored])];
  return render({ tone, title: text('title'), paragraphs }, status);
}

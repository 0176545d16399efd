/** Explains to people why a form is not shown, or why it was not stored. */
import type { Problem, ProblemCode } from '../../../problems/problem.ts';
import type { PublishedForm } from '../../forms/definitions/definition.ts';
import type { TextKey } from '../../texts/language-file.ts';
import { problemNotice } from '../account-pages/step-route.ts';
import type { FormPage } from './form-view.ts';

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

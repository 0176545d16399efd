/** Renders the form of a page, also with the errors of answers that were sent. */
import { Problem } from '../../../problems/problem.ts';
import type { AnswerError } from '../../forms/answers/check-answers.ts';
import { DECOY_NAME, type FormValues, REDIRECT_NAME } from '../../forms/answers/page-answers.ts';
import type { PublishedForm } from '../../forms/definitions/definition.ts';
import { toFieldViews } from './field-views.ts';
import type { FormPage } from './form-view.ts';

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

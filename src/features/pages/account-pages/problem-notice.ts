/** Explains problems to people who have opened a link. */
import type { Problem } from '../../../problems/problem.ts';
import type { LinkKind } from '../../mail/links/queries.ts';
import type { LanguageTexts } from '../../texts/language-texts.ts';

export interface ProblemNotice {
  readonly title: string;
  readonly paragraphs: readonly string[];
  /** Whether the same step may succeed later. */
  readonly canRetry: boolean;
  /** Whether another link is needed. */
  readonly needsLink: boolean;
}

/** Returns the text of an error page: what has happened, and what to do next. */
export function problemNotice(problem: Problem, kind: LinkKind | null, texts: LanguageTexts): ProblemNotice {
  const { code, status } = problem;
  if (status === 404 && kind !== null) {
    const paragraphs = [texts.text('page.problem.not_valid.text'), texts.text(`page.${kind}.not_valid`)];
    const title = texts.text('page.problem.not_valid.title');
    return { title, paragraphs, canRetry: false, needsLink: true };
  }
  if (code === 'email_taken') {
    const paragraphs = [texts.text('page.problem.email_taken.text')];
    return {
      title: texts.text('page.problem.email_taken.title'),
      paragraphs,
      canRetry: false,
      needsLink: false,
    };
  }
  return { ...temporaryNotice(problem, kind, texts), canRetry: true, needsLink: false };
}

function temporaryNotice(
  { status, options }: Problem,
  kind: LinkKind | null,
  { text, duration }: LanguageTexts,
) {
  const seconds = options.retryAfterSeconds;
  const later =
    seconds === undefined
      ? text('page.problem.retry_later')
      : text('page.problem.retry_in', { duration: duration(seconds) });
  // The failure may be one after the step was completed.
  const unsure = kind === null ? [] : [text('page.problem.unsure')];
  const unused = kind === null ? [] : [text('page.problem.too_many.text')];
  if (status === 429) return { title: text('page.problem.too_many.title'), paragraphs: [later, ...unused] };
  if (status === 503) return { title: text('page.problem.busy.title'), paragraphs: [later, ...unsure] };
  if (status === 500) return { title: text('page.problem.failed.title'), paragraphs: [later, ...unsure] };
  return {
    title: text('page.problem.other.title'),
    paragraphs: kind === null ? [later] : [text('page.problem.other.text')],
  };
}

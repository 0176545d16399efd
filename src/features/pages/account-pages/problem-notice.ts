/** Explains problems to people who have opened a link. */
import type { Problem } from '../../../problems/problem.ts';
import type { LinkKind } from '../../mail/links/queries.ts';
import type { LanguageTexts } from '../../texts/language-texts.ts';

/**
 * Returns the text of an error page: the error and the next step. `canRetry`: the same step may succeed
 * later.
 */
export function problemNotice(
  { code, status, options }: Problem,
  kind: LinkKind | null,
  { text, duration }: LanguageTexts,
) {
  if (status === 404 && kind !== null)
    return {
      title: text('page.problem.not_valid.title'),
      paragraphs: [text('page.problem.not_valid.text'), text(`page.${kind}.not_valid`)],
      canRetry: false,
      needsLink: true,
    };
  if (code === 'email_taken')
    return {
      title: text('page.problem.email_taken.title'),
      paragraphs: [text('page.problem.email_taken.text')],
      canRetry: false,
      needsLink: false,
    };
  const { retryAfterSeconds: seconds } = options;
  const later =
    seconds === undefined
      ? text('page.problem.retry_later')
      : text('page.problem.retry_in', { duration: duration(seconds) });
  const [reason, advice] = TEMPORARY[status] ?? (['other', 'page.problem.other.text'] as const);
  const ofLink = kind === null ? [] : [text(advice)];
  const paragraphs =
    reason === 'other' && kind !== null ? ofLink : [later, ...(reason === 'other' ? [] : ofLink)];
  return { title: text(`page.problem.${reason}.title`), paragraphs, canRetry: true, needsLink: false };
}

/** By status, the text of the title and the one for the holder of a link. A failure may come after the step. */
const TEMPORARY: Readonly<
  Record<
    number,
    readonly ['too_many' | 'busy' | 'failed', 'page.problem.too_many.text' | 'page.problem.unsure']
  >
> = {
  429: ['too_many', 'page.problem.too_many.text'],
  500: ['failed', 'page.problem.unsure'],
  503: ['busy', 'page.problem.unsure'],
};

/** Answers, as people read them. */
import type { FormField, Submission } from '../../../common/api-types.ts';
import { pageLanguage } from '../../../common/page-language.ts';

/** Returns the answer in one line; null if there is none. Labels such as `__proto__` are own members only. */
export function formatAnswer({ answers }: Submission, { label }: FormField): string | null {
  if (!Object.hasOwn(answers, label)) return null;
  const answer: unknown = answers[label];
  if (typeof answer === 'boolean') return answer ? 'Yes' : 'No';
  return Array.isArray(answer) ? answer.join(', ') : String(answer);
}

const DAY = new Intl.DateTimeFormat(pageLanguage, { dateStyle: 'full', timeZone: 'UTC' });

/** The whole answer. Days are written out, and addresses are links. */
export function Answer({ field, submission }: Readonly<{ field: FormField; submission: Submission }>) {
  const text = formatAnswer(submission, field);
  if (text === null) return <span class="none">–</span>;
  if (field.type === 'email') return <a href={`mailto:${encodeURIComponent(text)}`}>{text}</a>;
  return <bdi>{field.type === 'date' ? DAY.format(new Date(text)) : text}</bdi>;
}

export function isChoice({ options, type }: FormField): boolean {
  return options !== undefined || type === 'checkbox';
}

/** Returns an answer that is written as in filters and totals. */
export function formatChoice(value: string): string {
  return { true: 'Yes', false: 'No' }[value] ?? value;
}

export const MAX_ANSWERS = 4;

/** Returns the fields of a line. Long texts have little meaning there. */
export function listShownFields(fields: readonly FormField[]): readonly FormField[] {
  const short = fields.filter(({ multiline }) => !multiline);
  return (short.length === 0 ? fields : short).slice(0, MAX_ANSWERS);
}

/** Returns the answer to the first field, or else the end of the id. */
export function getName(submission: Submission, fields: readonly FormField[]): string {
  const [first] = listShownFields(fields);
  return formatAnswer(submission, first!) ?? `Submission ${submission.id.slice(-6)}`;
}

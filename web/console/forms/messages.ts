/** Errors of the API in the words of this page: they are shown below the control that they are about. */
import { capitalize } from '../../common/page-language.ts';

/** Beginnings of messages that say it in words of the API throughout. */
const SENTENCES: Readonly<Record<string, string>> = {
  'Fields array is required': 'Add a field.',
  'The closes_at field must be later': 'Must be later than the time at which the form opens.',
  'The allowed_origins field must have origins':
    'Enter origins such as https://example.com, without a path behind them.',
  'The thanks field must have a URL':
    'Enter a page of an allowed origin, such as https://example.com/thanks.',
  'The thanks field must have either': 'Enter 1 to 1,000 characters.',
  'The notify field': 'Enter 1 to 5 different email addresses.',
  'max must not be less': 'Must not be before or below the lower bound.',
};

/** Returns a message about one member of a form or field, without the name that the API gives it. */
export function toPageMessage(detail: string): string {
  const [, sentence] = Object.entries(SENTENCES).find(([beginning]) => detail.startsWith(beginning)) ?? [];
  if (sentence !== undefined) return sentence;
  const text = detail
    .replace(/^(?:The \w+ field|[a-z_]+) (?:is (?=required))?/, '')
    .replace('an integer', 'a whole number')
    .replace(/\.?$/, '.');
  return capitalize(text);
}

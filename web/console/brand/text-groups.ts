/** The texts by where people see them, and the page that shows them. */
import type { LanguageText, PreviewRequest } from '../../common/api-types.ts';

export type Shown = Pick<PreviewRequest, 'page' | 'message'>;

interface TextGroup {
  readonly id: string;
  readonly title: string;
  readonly keys: RegExp;
  /** Null if the page that is shown stays. */
  readonly page: PreviewRequest['page'] | null;
}

/** A text belongs to the first group whose pattern its key matches. */
const GROUPS: readonly TextGroup[] = [
  { id: 'sign_in', title: 'Sign-in', keys: /^people\.(sign_in|second_factor)\b/, page: 'sign_in' },
  { id: 'sign_up', title: 'Sign-up', keys: /^people\.(sign_up|closed)\b/, page: 'sign_up' },
  {
    id: 'errors',
    title: 'Errors',
    keys: /^(field|page\.problem|people\.(problem|wrong|way_on))\b/,
    page: null,
  },
  { id: 'fields', title: 'Fields', keys: /^people\.(field|or)\b/, page: 'sign_up' },
  { id: 'account', title: 'Own account', keys: /^people\./, page: 'account' },
  {
    id: 'providers',
    title: 'Sign-in with other accounts',
    keys: /^page\.(identity|authorize|end_session|signed_out)\b/,
    page: null,
  },
  { id: 'page', title: 'Pages of links in messages', keys: /^page\./, page: 'set_password' },
  { id: 'form', title: 'Forms', keys: /^form\./, page: 'form' },
  { id: 'mail', title: 'Messages', keys: /^mail\./, page: 'mail' },
];

export const GROUP_TITLES = GROUPS.map(({ id, title }) => [id, title] as const);

export function getGroup(key: string): TextGroup {
  return GROUPS.find(({ keys }) => keys.test(key)) ?? GROUPS.at(-1)!;
}

/** Returns the page on which the text is seen, or the one that is shown. */
export function getPage(key: string, shown: Shown): Shown {
  const page = getGroup(key).page ?? shown.page;
  const [, message] = /^mail\.(\w+)\.\w+$/.exec(key) ?? [];
  return message === undefined ? { ...shown, page } : { page, message: message as Shown['message'] & string };
}

/** Returns the name of a text in words: `mail.verify_email.subject` is `Verify email: subject`. */
export function describeKey(key: string): string {
  const [, ...parts] = key.split('.');
  const words = parts.map((part) => part.replaceAll(/[_-]/g, ' ')).join(': ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export interface TextFilter {
  readonly group: string;
  readonly search: string;
  readonly isChanged: boolean;
}

/** Returns the texts of a group; with a search, those of all groups that contain it. */
export function findTexts(
  texts: readonly LanguageText[],
  own: Readonly<Record<string, string>>,
  { group, search, isChanged }: TextFilter,
): readonly LanguageText[] {
  const wanted = search.trim().toLowerCase();
  return texts.filter(({ key, default: text }) => {
    if (isChanged && own[key] === undefined) return false;
    if (wanted === '') return isChanged || getGroup(key).id === group;
    // The default too, so that a text which was found stays while it is changed.
    return [key, describeKey(key), text, own[key] ?? ''].some((each) => each.toLowerCase().includes(wanted));
  });
}

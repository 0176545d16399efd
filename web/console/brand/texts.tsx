/** The texts of a language, by page. */
import { useState } from 'preact/hooks';
import type { ApiError } from '../../common/api.ts';
import type { LanguageText, LanguageTexts, PreviewRequest } from '../../common/api-types.ts';
import { Button, capitalize, Panel } from '../../common/components.tsx';
import { Field, Select } from '../../common/form.tsx';
import type { OwnTexts } from './values.ts';

interface TextFieldsProps {
  readonly languages: readonly LanguageTexts[];
  readonly language: string;
  readonly onLanguage: (language: string) => void;
  readonly own: OwnTexts;
  readonly onOwn: (own: OwnTexts) => void;
  /** A text is edited. */
  readonly onKey: (key: string) => void;
  readonly error: ApiError | null;
}

export function TextFields({ languages, language, own, onOwn, onKey, error, ...props }: TextFieldsProps) {
  const [filter, setFilter] = useState<TextFilter>({ search: '', group: 'sign_in', isChanged: false });
  const { texts } = languages.find((each) => each.language === language)!;
  const wrong = texts.filter(({ key }) => error?.errors[key]);
  const found = wrong.length > 0 ? wrong : findTexts(texts, own, filter);
  const change = (key: string, text: string | null) => {
    const { [key]: _, ...others } = own;
    onOwn(text === null ? others : { ...others, [key]: text });
  };
  return (
    <Panel
      title="Texts"
      id="texts"
      beside={
        <Button
          text={`Changed: ${Object.keys(own).length}`}
          class="compact"
          aria-pressed={filter.isChanged}
          onClick={() => setFilter({ ...filter, isChanged: !filter.isChanged })}
        />
      }
      body="stack tight"
    >
      <Filters {...props} languages={languages} language={language} filter={filter} onFilter={setFilter} />
      {found.map((text) => (
        <TextField
          key={`${language} ${text.key}`}
          text={text}
          own={own[text.key]}
          onText={(own) => change(text.key, own)}
          onKey={() => onKey(text.key)}
          errors={error?.errors[text.key]}
        />
      ))}
      {found.length === 0 && <p class="hint">No text is found.</p>}
    </Panel>
  );
}

interface FiltersProps extends Pick<TextFieldsProps, 'languages' | 'language' | 'onLanguage'> {
  readonly filter: TextFilter;
  readonly onFilter: (filter: TextFilter) => void;
}

function Filters({ languages, language, onLanguage, filter, onFilter }: FiltersProps) {
  const names = new Intl.DisplayNames('en', { type: 'language' });
  return (
    <>
      <div class="grid">
        <Select
          label="Language"
          options={languages.map((each) => [each.language, names.of(each.language)!])}
          value={language}
          onValue={onLanguage}
        />
        <Select
          label="Where people see it"
          options={GROUP_TITLES}
          value={filter.group}
          onValue={(group) => onFilter({ ...filter, group, search: '' })}
        />
      </div>
      <input
        type="search"
        aria-label="Search texts"
        placeholder="Search all texts"
        value={filter.search}
        onInput={({ currentTarget }) => onFilter({ ...filter, search: currentTarget.value })}
      />
    </>
  );
}

interface TextFieldProps {
  readonly text: LanguageText;
  readonly own: string | undefined;
  /** Null for the default. */
  readonly onText: (own: string | null) => void;
  readonly onKey: () => void;
  readonly errors: readonly string[] | undefined;
}

/** Lines of the field, of about 50 characters. */
const toRows = (text: string) => Math.min(6, Math.ceil(text.length / 50));

function TextField({ text, own, onText, onKey, errors }: TextFieldProps) {
  const { key, default: standard, placeholders } = text;
  const names = placeholders.map((name) => `{${name}}`).join(', ');
  const hint = [own !== undefined && `Changed from “${standard}”.`, names && `Placeholders: ${names}`];
  return (
    <div class={own === undefined ? 'own-text' : 'own-text changed'} onFocusIn={onKey}>
      <Field
        label={describeKey(key)}
        hint={hint.filter(Boolean).join(' ')}
        errors={errors}
        direction="auto"
        rows={toRows(own ?? standard)}
        value={own ?? standard}
        onValue={(value) => {
          const line = value.replaceAll(/\s*\n\s*/g, ' ');
          onText(line === standard ? null : line);
        }}
      />
      {own !== undefined && (
        <Button
          text="Reset"
          class="link"
          aria-label={`Reset ${describeKey(key)}`}
          onClick={() => onText(null)}
        />
      )}
    </div>
  );
}

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

const GROUP_TITLES = GROUPS.map(({ id, title }) => [id, title] as const);

function getGroup(key: string): TextGroup {
  return GROUPS.find(({ keys }) => keys.test(key)) ?? GROUPS.at(-1)!;
}

/** Returns the page on which the text is seen, or the one that is shown. */
export function getPage(key: string, shown: Shown): Shown {
  const page = getGroup(key).page ?? shown.page;
  const [, message] = /^mail\.(\w+)\.\w+$/.exec(key) ?? [];
  return message === undefined ? { ...shown, page } : { page, message: message as Shown['message'] & string };
}

/** Returns the name of a text in words: `mail.verify_email.subject` is `Verify email: subject`. */
function describeKey(key: string): string {
  const [, ...parts] = key.split('.');
  return capitalize(parts.map((part) => part.replaceAll(/[_-]/g, ' ')).join(': '));
}

interface TextFilter {
  readonly group: string;
  readonly search: string;
  readonly isChanged: boolean;
}

/** Returns the texts of a group; with a search, those of all groups that contain it. */
function findTexts(
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

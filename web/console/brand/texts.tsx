/** The texts of a language, by page. */
import { useState } from 'preact/hooks';
import type { ApiError } from '../../common/api.ts';
import type { LanguageText, LanguageTexts } from '../../common/api-types.ts';
import { Labelled, Select } from '../../common/form.tsx';
import { Panel } from '../../common/panel.tsx';
import type { OwnTexts } from './values.ts';
import { describeKey, findTexts, GROUP_TITLES, type TextFilter } from './text-groups.ts';

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
        <button
          type="button"
          class="compact"
          aria-pressed={filter.isChanged}
          onClick={() => setFilter({ ...filter, isChanged: !filter.isChanged })}
        >
          Changed: {Object.keys(own).length}
        </button>
      }
    >
      <div class="body stack tight">
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
      </div>
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
      <Labelled label={describeKey(key)} hint={hint.filter(Boolean).join(' ')} errors={errors}>
        {(attributes) => (
          <textarea
            {...attributes}
            dir="auto"
            rows={toRows(own ?? standard)}
            value={own ?? standard}
            onInput={({ currentTarget: { value } }) => {
              const line = value.replaceAll(/\s*\n\s*/g, ' ');
              onText(line === standard ? null : line);
            }}
          />
        )}
      </Labelled>
      {own !== undefined && (
        <button
          type="button"
          class="link"
          aria-label={`Reset ${describeKey(key)}`}
          onClick={() => onText(null)}
        >
          Reset
        </button>
      )}
    </div>
  );
}

/** A field for a search while a person types. */
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { Icon } from '../../common/icon.tsx';

interface SearchFieldProps {
  readonly label: string;
  readonly placeholder: string;
  readonly search: string;
  readonly onSearch: (text: string) => void;
}

/** Debounce delay of fast typing; the result should be shown 200 ms after the last letter. */
const DEBOUNCE_MS = 60;

/** Follows the URL, for example after Back, unless the change there is its own. */
export function SearchField({ label, placeholder, search, onSearch }: SearchFieldProps) {
  const id = useId();
  const [text, setText] = useState(search);
  const sent = useRef(search);
  useEffect(() => {
    if (search === sent.current) return;
    sent.current = search;
    setText(search);
  }, [search]);
  useEffect(() => {
    const wanted = text.trim();
    if (wanted === sent.current) return;
    const timer = setTimeout(() => {
      sent.current = wanted;
      onSearch(wanted);
    }, DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <div class="search">
      <label for={id} class="visually-hidden">
        {label}
      </label>
      <Icon name="search" />
      <input
        id={id}
        type="search"
        value={text}
        maxLength={255}
        placeholder={placeholder}
        autocomplete="off"
        spellcheck={false}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || text === '') return;
          event.preventDefault();
          setText('');
        }}
      />
      <kbd>/</kbd>
    </div>
  );
}

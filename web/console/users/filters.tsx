/** Search, filter, order and columns of the list. */
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { UserState } from '../../common/api-types.ts';
import { Icon } from '../../common/icon.tsx';
import { navigate, query } from '../../common/router.tsx';
import { Choice } from '../list/choice.tsx';
import { STATES } from '../user-record.tsx';
import { ColumnChoice } from './column-choice.tsx';
import { type ListView, linkTo, ORDERS, type Order, readView } from './list-view.ts';

export function Filters({ view }: { readonly view: ListView }) {
  const show = (changes: Partial<ListView>) => navigate(linkTo({ ...view, cursor: null, ...changes }));
  // The view when the text is sent, which may not be that of the render in which it was typed.
  const search = (text: string) => {
    const present = readView(query.value);
    if (text !== present.search) {
      navigate(linkTo({ ...present, cursor: null, search: text }), { replace: true });
    }
  };
  return (
    <search class="filters">
      <SearchField search={view.search} onSearch={search} />
      <Choice
        label="State"
        value={view.state ?? ''}
        options={{ '': 'All', ...STATES }}
        onChoose={(state) => show({ state: (state || null) as UserState | null })}
      />
      {view.search === '' ? (
        <Choice
          label="Order"
          value={view.order}
          options={ORDERS}
          onChoose={(order) => show({ order: order as Order })}
        />
      ) : (
        <Choice label="Order" value="" options={{ '': 'By matched text' }} />
      )}
      <ColumnChoice view={view} />
    </search>
  );
}

/** Debounce delay of fast typing; the result should be shown 200 ms after the last letter. */
const DEBOUNCE_MS = 60;

/** Follows the URL, for example after Back, unless the change there is its own. */
function SearchField({ search, onSearch }: { search: string; onSearch: (text: string) => void }) {
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
        Search
      </label>
      <Icon name="search" />
      <input
        id={id}
        type="search"
        value={text}
        maxLength={255}
        placeholder="Start of an email or a name"
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

/** Search, filter, order and columns of the list. */
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { UserState } from '../../common/api-types.ts';
import { Icon } from '../../common/icon.tsx';
import { navigate, query } from '../../common/router.tsx';
import { Chips } from '../list/chips.tsx';
import { Choice } from '../list/choice.tsx';
import { daysAgo, TimeRange } from '../list/time-range.tsx';
import { STATES } from '../user-record.tsx';
import { ColumnChoice } from './column-choice.tsx';
import { LevelFilter } from './level-filter.tsx';
import { listChips } from './list-chips.ts';
import { type ListView, linkTo, NO_FILTER, readView, VERIFIED } from './list-view.ts';
import { MetadataFilter } from './metadata-filter.tsx';

/** Days are those of UTC, as in the figures of the overview. */
const SPANS = {
  Today: () => daysAgo(0),
  'Last 7 days': () => daysAgo(6),
  'Last 30 days': () => daysAgo(29),
} as const;

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
    <>
      <search class="filters many">
        <SearchField search={view.search} onSearch={search} />
        <Choice
          label="State"
          value={view.state ?? ''}
          options={{ '': 'All', ...STATES }}
          onChoose={(state) => show({ state: (state || null) as UserState | null })}
        />
        <Choice
          label="Email"
          value={view.verified ?? ''}
          options={{ '': 'All', ...VERIFIED }}
          onChoose={(verified) => show({ verified: verified || null })}
        />
        <TimeFilters view={view} onShow={show} />
        <LevelFilter key={view.level} level={view.level} onLevel={(level) => show({ level })} />
        <MetadataFilter
          key={view.metadata}
          condition={view.metadata}
          onCondition={(metadata) => show({ metadata })}
        />
        <ColumnChoice view={view} />
      </search>
      <Chips chips={listChips(view)} clear={linkTo({ ...view, ...NO_FILTER, cursor: null })} />
    </>
  );
}

interface TimeFiltersProps {
  readonly view: ListView;
  readonly onShow: (changes: Partial<ListView>) => void;
}

function TimeFilters({ view, onShow }: TimeFiltersProps) {
  return (
    <>
      <TimeRange
        label="Created"
        kind="date"
        range={{ from: view.created_from, to: view.created_to }}
        spans={SPANS}
        onRange={({ from, to }) => onShow({ created_from: from, created_to: to })}
      />
      <TimeRange
        label="Last login"
        kind="date"
        range={{ from: view.last_login_from, to: view.last_login_to }}
        spans={SPANS}
        onRange={({ from, to }) => onShow({ last_login_from: from, last_login_to: to })}
      />
    </>
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
        placeholder="Part of a name or email, id or token"
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

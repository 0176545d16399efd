/** A choice of a span of time: a usual one, or between two times. Applied at once. */
import { useEffect, useId, useState } from 'preact/hooks';
import { Dropdown } from './dropdown.tsx';

/** Times or days as the API reads them; null for no limit. */
export interface Range {
  readonly from: string | null;
  readonly to: string | null;
}

interface TimeRangeProps {
  readonly label: string;
  readonly kind: 'date' | 'datetime-local';
  readonly range: Range;
  /** Names of usual spans, each with its beginning when it is chosen. */
  readonly spans: Readonly<Record<string, () => string>>;
  readonly onRange: (range: Range) => void;
}

export function TimeRange({ label, kind, range, spans, onRange }: TimeRangeProps) {
  return (
    <Dropdown icon="filter" label={label}>
      <fieldset class="menu">
        <legend class="visually-hidden">{label}</legend>
        {Object.entries(spans).map(([name, getFrom]) => (
          <button
            key={name}
            type="button"
            class="plain compact"
            onClick={() => onRange({ from: getFrom(), to: null })}
          >
            {name}
          </button>
        ))}
        <div class={`limits ${kind}`}>
          <Limit
            label="From"
            kind={kind}
            value={range.from}
            onValue={(from) => onRange({ ...range, from })}
          />
          <Limit
            label={kind === 'date' ? 'Before' : 'To'}
            kind={kind}
            value={range.to}
            onValue={(to) => onRange({ ...range, to })}
          />
        </div>
      </fieldset>
    </Dropdown>
  );
}

interface LimitProps {
  readonly label: string;
  readonly kind: TimeRangeProps['kind'];
  readonly value: string | null;
  readonly onValue: (value: string | null) => void;
}

/** Applied when it is left or with Enter: a year that is being typed is a date after its first digit. */
function Limit({ label, kind, value, onValue }: LimitProps) {
  const id = useId();
  const shown = value === null ? '' : kind === 'date' ? value.slice(0, 10) : toLocalTime(value);
  const [text, setText] = useState(shown);
  useEffect(() => setText(shown), [shown]);
  const apply = () => {
    if (text === shown) return;
    onValue(text === '' ? null : kind === 'date' ? text : new Date(text).toISOString());
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type={kind as 'date'}
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
        onBlur={apply}
        onKeyDown={({ key }) => key === 'Enter' && apply()}
      />
    </div>
  );
}

/** Returns the value of a field of the type `datetime-local`. */
function toLocalTime(at: string): string {
  const time = new Date(at);
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** Returns the day (UTC) before so many days. */
export function daysAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
}

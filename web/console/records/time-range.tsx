/** A choice of a span of time: a usual one, or between two times. Applied at once. */
import { useEffect, useState } from 'preact/hooks';
import { Labelled } from '../../common/form.tsx';
import { Dropdown } from './controls.tsx';
import { fromLocalTime, toLocalTime } from './zoned-time.ts';

/** Times or days as the API reads them, `to` not included; null for no limit. */
interface Range {
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
        {/* Days are short enough to stand beside each other; times are not. */}
        <div class={kind === 'date' ? 'stack tight pair' : 'stack tight'}>
          <TimeLimit
            label="From"
            kind={kind}
            value={range.from}
            onValue={(from) => onRange({ ...range, from })}
          />
          <TimeLimit
            label={kind === 'date' ? 'Until' : 'To'}
            kind={kind}
            value={kind === 'date' ? range.to && getLastDay(range.to) : range.to}
            onValue={(to) => onRange({ ...range, to: kind === 'date' ? to && getDayAfter(to) : to })}
          />
        </div>
        {kind === 'date' && <small class="hint">Both days are included; days are those of UTC.</small>}
      </fieldset>
    </Dropdown>
  );
}

interface TimeLimitProps {
  readonly label: string;
  readonly kind: TimeRangeProps['kind'];
  readonly value: string | null;
  readonly onValue: (value: string | null) => void;
  readonly errors?: readonly string[] | undefined;
  /** Without one, that of the browser. */
  readonly timeZone?: string;
  readonly hint?: string;
}

/** Applied when it is left: a year that is being typed is a date after its first digit. */
export function TimeLimit({ label, kind, value, onValue, errors, timeZone, hint }: TimeLimitProps) {
  const shown = value === null ? '' : kind === 'date' ? value.slice(0, 10) : toLocalTime(value, timeZone);
  const [text, setText] = useState(shown);
  useEffect(() => setText(shown), [shown]);
  const apply = () => {
    if (text === shown) return;
    onValue(text === '' ? null : kind === 'date' ? text : fromLocalTime(text, timeZone));
  };
  return (
    <Labelled label={label} hint={hint} errors={errors}>
      {(attributes) => (
        <input
          {...attributes}
          type={kind as 'date'}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
          onBlur={apply}
        />
      )}
    </Labelled>
  );
}

const DAY = 86_400_000;
const toDay = (time: number) => new Date(time).toISOString().slice(0, 10);

/** Returns the day (UTC) before so many days. */
export function daysAgo(days: number): string {
  return toDay(Date.now() - days * DAY);
}

/** Returns the last day of a range that ends before this day or time. */
export function getLastDay(end: string): string {
  return toDay(Date.parse(end) - 1);
}

/** Returns the day at which a range with this last day ends. */
export function getDayAfter(day: string): string {
  return toDay(Date.parse(day) + DAY);
}

/** A choice of a span of time: a usual one, or between two times. Applied at once. */
import { useEffect, useState } from 'preact/hooks';
import { Button } from '../../common/components.tsx';
import { Field } from '../../common/form.tsx';
import { Dropdown } from './controls.tsx';
import { fromLocalTime, toLocalTime } from './zoned-time.ts';

/** Times as the API reads them, `to` not included; null for no limit. */
type Range = Readonly<Record<'from' | 'to', string | null>>;

export interface TimeRangeProps {
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
          <Button
            key={name}
            text={name}
            class="plain compact"
            onClick={() => onRange({ from: getFrom(), to: null })}
          />
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
            value={kind === 'date' ? range.to && getLastTime(range.to) : range.to}
            onValue={(to) => onRange({ ...range, to: kind === 'date' ? to && addDays(to, 1) : to })}
          />
        </div>
        {kind === 'date' && <small class="hint">Both days are included.</small>}
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
export function TimeLimit({ kind, value, onValue, timeZone, ...labels }: TimeLimitProps) {
  const time = value === null ? '' : toLocalTime(value, timeZone);
  const shown = kind === 'date' ? time.slice(0, 10) : time;
  const [text, setText] = useState(shown);
  useEffect(() => setText(shown), [shown]);
  const apply = () => {
    if (text === shown) return;
    onValue(text === '' ? null : kind === 'date' ? toStartOfDay(text) : fromLocalTime(text, timeZone));
  };
  return <Field {...labels} type={kind} value={text} onValue={setText} onBlur={apply} />;
}

/** Returns the start of a day of the reader, such as `2026-09-09`. */
export function toStartOfDay(day: string): string {
  return new Date(`${day}T00:00`).toISOString();
}

/** Returns the time so many days of the reader later, which may have 23 or 25 hours. */
function addDays(at: string, days: number): string {
  const time = new Date(at);
  return new Date(time.setDate(time.getDate() + days)).toISOString();
}

/** Returns the start of the day of the reader before so many days. */
export function daysAgo(days: number): string {
  return addDays(new Date(new Date().setHours(0, 0, 0, 0)).toISOString(), -days);
}

/** Returns the last time of a range that ends before this time. */
export function getLastTime(end: string): string {
  return new Date(Date.parse(end) - 1).toISOString();
}

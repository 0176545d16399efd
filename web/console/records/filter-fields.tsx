/** Kinds of filters that several lists have. */
import type { ComponentChildren } from 'preact';
import { Labelled } from '../../common/form.tsx';
import { formatDay } from '../../common/short-time.ts';
import { formatTime } from '../../common/time.tsx';
import { Choice, Dropdown, SearchField } from './controls.tsx';
import { type ControlProps, type FilterField, findKey } from './filters.tsx';
import { daysAgo, getLastTime, TimeRange, type TimeRangeProps, toStartOfDay } from './time-range.tsx';

interface ChoiceOptions {
  readonly label: string;
  readonly options: Readonly<Record<string, string>>;
  /** The option for any value. */
  readonly all?: string;
  /** Returns the name of a value that is not among the options; undefined if it is not valid. */
  readonly nameOther?: (value: string) => string | undefined;
  readonly format?: (value: string) => ComponentChildren;
}

export function choiceField(
  member: string,
  { label, options, all = 'All', ...more }: ChoiceOptions,
): FilterField {
  const { nameOther = () => undefined, format = (value: string) => options[value] } = more;
  return {
    parameters: {
      [member]: {
        chip: label,
        read: (text) => (nameOther(text) === undefined ? findKey(options, text) : text),
        format,
      },
    },
    Control: ({ filter, onFilter }) => {
      const value = filter[member] ?? '';
      const other = nameOther(value);
      return (
        <Choice
          label={label}
          value={value}
          options={{ '': all, ...options, ...(other && { [value]: other }) }}
          onChoose={(chosen) => onFilter({ [member]: chosen || null })}
        />
      );
    },
  };
}

interface SearchOptions {
  readonly label: string;
  readonly placeholder: string;
  readonly chip?: string;
}

export function searchField(member: string, { chip, ...labels }: SearchOptions): FilterField {
  return {
    parameters: {
      [member]: { ...(chip && { chip }), format: (text) => <bdi>{text}</bdi> },
    },
    Control: ({ filter, onFilter }) => (
      <SearchField
        {...labels}
        search={filter[member] ?? ''}
        onSearch={(text) => onFilter({ [member]: text || null }, { replace: true })}
      />
    ),
  };
}

/** A text that is compared as a whole. */
export function textField(member: string, label: string): FilterField {
  return {
    parameters: { [member]: { chip: label } },
    Control: ({ filter, onFilter }) => (
      <Dropdown icon="filter" label={label}>
        <ExactField
          key={filter[member]}
          label={`${label}, exactly`}
          value={filter[member] ?? ''}
          onValue={(text) => onFilter({ [member]: text.trim() || null })}
        />
      </Dropdown>
    ),
  };
}

interface ExactFieldProps {
  readonly label: string;
  readonly value: string;
  readonly placeholder?: string;
  readonly onValue: (text: string) => void;
}

/** Applied when it is left. */
export function ExactField({ label, onValue, ...input }: ExactFieldProps) {
  return (
    <Labelled label={label}>
      {(attributes) => (
        <input
          {...attributes}
          {...input}
          autocomplete="off"
          onChange={({ currentTarget }) => onValue(currentTarget.value)}
        />
      )}
    </Labelled>
  );
}

/** Usual spans that end now, each with its beginning when it is chosen. */
const SPANS = {
  'Last hour': () => hoursAgo(1),
  Today: () => daysAgo(0),
  'Last 24 hours': () => hoursAgo(24),
  'Last 7 days': () => hoursAgo(24 * 7),
  'Last 30 days': () => hoursAgo(24 * 30),
} as const;

interface TimeOptions {
  readonly label: string;
  /** Names of the chips. */
  readonly chips: readonly [from: string, to: string];
  readonly spans: readonly (keyof typeof SPANS)[];
}

/** The choice of a span of time between two parameters. */
const createRangeControl =
  ([from, to]: readonly [string, string], range: Omit<TimeRangeProps, 'range' | 'onRange'>) =>
  ({ filter, onFilter }: ControlProps) => (
    <TimeRange
      {...range}
      range={{ from: filter[from] ?? null, to: filter[to] ?? null }}
      onRange={(chosen) => onFilter({ [from]: chosen.from, [to]: chosen.to })}
    />
  );

/** Times between two parameters, the second not included. */
export function timeField(
  limits: readonly [from: string, to: string],
  { label, chips, spans }: TimeOptions,
): FilterField {
  const [from, to] = limits;
  const read = (text: string) => (Number.isNaN(Date.parse(text)) ? null : new Date(text).toISOString());
  return {
    parameters: {
      [from]: { chip: chips[0], read, format: formatTime },
      [to]: { chip: chips[1], read, format: formatTime },
    },
    Control: createRangeControl(limits, {
      ...{ label, kind: 'datetime-local' },
      spans: Object.fromEntries(spans.map((span) => [span, SPANS[span]])),
    }),
  };
}

const DAYS = {
  Today: () => daysAgo(0),
  'Last 7 days': () => daysAgo(6),
  'Last 30 days': () => daysAgo(29),
} as const;

/** Days of the reader between two parameters, which may also be times. */
export function dayField(label: string, limits: readonly [from: string, to: string]): FilterField {
  const [from, to] = limits;
  return {
    parameters: {
      [from]: { chip: `${label} from`, read: readLimit, format: (limit) => formatLimit(limit, limit) },
      [to]: {
        chip: `${label} until`,
        read: readLimit,
        format: (limit) => formatLimit(limit, getLastTime(limit)),
      },
    },
    Control: createRangeControl(limits, { label, kind: 'date', spans: DAYS }),
  };
}

const IS_DAY = /^\d{4}-\d{2}-\d{2}$/;

function readLimit(text: string): string | null {
  if (Number.isNaN(Date.parse(text))) return null;
  return IS_DAY.test(text) ? toStartOfDay(text) : new Date(text).toISOString();
}

/** Returns the day of this time, if the limit is between two days: the end of a span is not included. */
function formatLimit(limit: string, at: string): string {
  const time = new Date(limit);
  const isStartOfDay = time.getTime() === new Date(time).setHours(0, 0, 0, 0);
  return isStartOfDay ? formatDay(new Date(at), new Date()) : formatTime(limit);
}

const HOUR = 3_600_000;

/** Returns the time of so many hours before. */
function hoursAgo(hours: number): string {
  return new Date(Date.now() - hours * HOUR).toISOString();
}

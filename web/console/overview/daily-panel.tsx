/** A figure over time: its sums of three spans, the chart, and the same numbers in a table. */
import { useId } from 'preact/hooks';
import { formatCount, ScrollArea } from '../../common/components.tsx';
import { Panel } from '../../common/panel.tsx';
import { Link } from '../../common/router.tsx';
import { Change, type ComparedCounts } from './change.tsx';
import { Chart } from './chart/chart.tsx';
import { type DailyCount, formatWeekday, summarizeDays } from './chart/daily-count.ts';
import type { ChartKind } from './chart/marks.tsx';

export interface Spans<T> {
  readonly today: T;
  readonly last_7_days: T;
  readonly last_30_days: T;
}

const SPANS = {
  today: ['Today', 'yesterday until this time'],
  last_7_days: ['7 days', 'the 7 days before until this time'],
  last_30_days: ['30 days', 'the 30 days before until this time'],
} as const;
type Span = keyof typeof SPANS;

interface DailyPanelProps {
  readonly title: string;
  readonly kind: ChartKind;
  /** Noun for the count: `new users`. */
  readonly unit: string;
  readonly counts: Spans<number>;
  /** The same spans until a time, and equal spans before. */
  readonly compared: Spans<ComparedCounts> & { readonly until: string };
  /** Oldest first. */
  readonly days: readonly DailyCount[];
  /** Returns the link to the list of the records that are counted. */
  readonly linkTo?: (days: number) => string;
}

const LENGTHS: Spans<number> = { today: 1, last_7_days: 7, last_30_days: 30 };

export function DailyPanel({ title, kind, unit, counts, compared, days, linkTo }: DailyPanelProps) {
  return (
    <Panel title={title} id={useId()}>
      <div class="body stack">
        <dl class="spans row">
          {(Object.keys(SPANS) as Span[]).map((span) => (
            <div key={span}>
              <dt>{SPANS[span][0]}</dt>
              <dd>
                <strong>
                  {linkTo === undefined ? (
                    formatCount(counts[span])
                  ) : (
                    <Link to={linkTo(LENGTHS[span])}>{formatCount(counts[span])}</Link>
                  )}
                </strong>{' '}
                <Change {...compared[span]} before={SPANS[span][1]} until={compared.until} />
              </dd>
            </div>
          ))}
        </dl>
        <Chart title={title} kind={kind} unit={unit} days={days} />
      </div>
      <footer>
        <details>
          <summary>{summarizeDays(days)}</summary>
          <ScrollArea label={`${title} by day`}>
            <CountTable days={days} />
          </ScrollArea>
        </details>
      </footer>
    </Panel>
  );
}

/** Days without any are left out, because most days of a small service have none. */
function CountTable({ days }: { readonly days: readonly DailyCount[] }) {
  const filled = days.filter(({ count }) => count > 0).reverse();
  if (filled.length === 0) return <p>No data.</p>;
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Day (UTC)</th>
          <th scope="col" class="num">
            Count
          </th>
        </tr>
      </thead>
      <tbody>
        {filled.map(({ date, count }) => (
          <tr key={date}>
            <td>{formatWeekday(date)}</td>
            <td class="num">{formatCount(count)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

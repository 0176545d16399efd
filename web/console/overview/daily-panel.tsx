/** A figure over time: its sums of three spans, and a chart whose days lead to their records. */
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { formatCount } from '../../common/components.tsx';
import { Panel } from '../../common/panel.tsx';
import { Change, type ComparedCounts } from './change.tsx';
import { Chart } from './chart/chart.tsx';
import type { DailyCount } from './chart/daily-count.ts';
import type { ChartKind } from './chart/marks.tsx';

export interface Spans<T> {
  readonly today: T;
  readonly last_7_days: T;
  readonly last_30_days: T;
}

/** Today is among the figures. */
const SPANS = {
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
  readonly linkTo: (date: string) => string;
  /** The foot of the panel. */
  readonly children: ComponentChildren;
}

export function DailyPanel({ title, counts, compared, children, ...chart }: DailyPanelProps) {
  const sums = (
    <dl class="spans end">
      {(Object.keys(SPANS) as Span[]).map((span) => (
        <div key={span}>
          <dt>{SPANS[span][0]}</dt>
          <dd>
            <strong>{formatCount(counts[span])}</strong>{' '}
            <Change {...compared[span]} before={SPANS[span][1]} until={compared.until} />
          </dd>
        </div>
      ))}
    </dl>
  );
  return (
    <Panel title={title} id={useId()} beside={sums}>
      <div class="body">
        <Chart title={title} {...chart} />
      </div>
      <footer>{children}</footer>
    </Panel>
  );
}

/** A chart of daily counts. The pointer and the arrow keys show the count of a day. */
import './chart.css';
import { useState } from 'preact/hooks';
import { formatCount } from '../../../common/components.tsx';
import { Axes } from './axes.tsx';
import { type DailyCount, formatWeekday, summarizeDays } from './daily-count.ts';
import { Bars, type ChartKind, Line } from './marks.tsx';
import { createScales, findDayAt, getMiddle, HEIGHT, type Scales } from './scales.ts';
import { useWidth } from './use-width.ts';

interface ChartProps {
  readonly title: string;
  readonly kind: ChartKind;
  /** Noun for the count: `new users`. */
  readonly unit: string;
  /** Oldest first. */
  readonly days: readonly DailyCount[];
}

export function Chart({ title, kind, unit, days }: ChartProps) {
  const [frame, width] = useWidth<HTMLDivElement>();
  const [shown, setShown] = useState<number | null>(null);
  const scales = createScales(days, width);
  const point = (event: PointerEvent) => setShown(findDayAt(scales, event.offsetX));
  const Marks = kind === 'bars' ? Bars : Line;
  return (
    <div class={`chart ${kind}`} ref={frame}>
      {/* The arrow keys of a slider move from day to day, and screen readers say each. */}
      <input
        type="range"
        class="visually-hidden"
        aria-label={`Day of ${title}`}
        aria-valuetext={describeDay(days[shown ?? days.length - 1]!, unit)}
        max={days.length - 1}
        value={shown ?? days.length - 1}
        onInput={({ currentTarget }) => setShown(Number(currentTarget.value))}
        onFocus={() => setShown(days.length - 1)}
        onBlur={() => setShown(null)}
      />
      {width > 0 && (
        <svg
          width={width}
          height={HEIGHT}
          role="img"
          aria-label={`${title}: ${summarizeDays(days)}`}
          onPointerMove={point}
          onPointerLeave={() => setShown(null)}
        >
          <rect class="room" width={width} height={HEIGHT} />
          <Axes scales={scales} days={days} />
          <Marks scales={scales} days={days} />
          {shown !== null && <Tooltip scales={scales} day={days[shown]!} unit={unit} />}
        </svg>
      )}
    </div>
  );
}

function describeDay({ date, count }: DailyCount, unit: string): string {
  return `${formatWeekday(date)}: ${formatCount(count)} ${unit}`;
}

const TIP = { width: 136, height: 48, gap: 10 };

interface TooltipProps {
  readonly scales: Scales;
  readonly day: DailyCount;
  readonly unit: string;
}

/** Beside its day, on the side with more room. */
function Tooltip({ scales, day, unit }: TooltipProps) {
  const middle = getMiddle(scales, day);
  const isAtEnd = middle + TIP.gap + TIP.width > scales.right;
  const left = isAtEnd ? middle - TIP.gap - TIP.width : middle + TIP.gap;
  return (
    <g class="tip">
      <line x1={middle} x2={middle} y1={scales.y.range()[1]} y2={scales.bottom} />
      <circle cx={middle} cy={scales.y(day.count)} r={4} />
      <rect x={left} y={0} width={TIP.width} height={TIP.height} rx={6} />
      <text x={left + 12} y={20}>
        {formatWeekday(day.date)}
      </text>
      <text class="count" x={left + 12} y={37}>
        {formatCount(day.count)} {unit}
      </text>
    </g>
  );
}

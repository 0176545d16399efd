/** A chart of daily counts. The pointer and the arrow keys show the count of a day, which is a link to its records. */
import './chart.css';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { formatCount } from '../../../common/components.tsx';
import { type DailyCount, formatWeekday, summarizeDays } from './daily-count.ts';
import { DayLinks } from './day-links.tsx';
import { Axes, Bars, type ChartKind, Line } from './marks.tsx';
import { createScales, findDayAt, getMiddle, HEIGHT, type Scales } from './scales.ts';

interface ChartProps {
  readonly title: string;
  readonly kind: ChartKind;
  /** Noun for the count: `new users`. */
  readonly unit: string;
  /** Oldest first. */
  readonly days: readonly DailyCount[];
  /** Returns the link to the list of the records of a day. */
  readonly linkTo: (date: string) => string;
}

export function Chart({ title, kind, unit, days, linkTo }: ChartProps) {
  const [frame, width] = useWidth();
  const [shown, setShown] = useState<number | null>(null);
  const scales = createScales(days, width);
  const point = (event: PointerEvent) => setShown(findDayAt(scales, event.offsetX));
  const Marks = kind === 'bars' ? Bars : Line;
  return (
    <div class={`chart ${kind}`} ref={frame}>
      {width > 0 && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
        <svg
          width={width}
          height={HEIGHT}
          role="group"
          aria-label={`${title}: ${summarizeDays(days)}. The arrow keys move from day to day.`}
          onPointerMove={point}
          onPointerLeave={() => setShown(null)}
        >
          <Axes scales={scales} days={days} />
          <Marks scales={scales} days={days} />
          <DayLinks {...{ scales, days, unit, linkTo }} onShown={setShown} />
          {shown !== null && <Tooltip scales={scales} day={days[shown]!} unit={unit} />}
        </svg>
      )}
    </div>
  );
}

const TIP = { width: 136, height: 48, gap: 10 };

/** Beside its day, on the side with more room. */
function Tooltip({ scales, day, unit }: Readonly<{ scales: Scales; day: DailyCount; unit: string }>) {
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

/** Returns the reference for an element, and its width in pixels: 0 until it is rendered. */
function useWidth() {
  const element = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const shown = element.current!;
    const measure = () => setWidth(shown.clientWidth);
    const observer = new ResizeObserver(measure);
    observer.observe(shown);
    measure();
    return () => observer.disconnect();
  }, []);
  return [element, width] as const;
}

/** What a chart shows: bars, or a line with its area, on a grid with the values and days. */
import { area, line } from 'd3-shape';
import { formatCount } from '../../../common/components.tsx';
import { type DailyCount, formatDay, formatWeekday, isMonday } from './daily-count.ts';
import { getMiddle, HEIGHT, type Scales } from './scales.ts';

export type ChartKind = 'bars' | 'line';

export interface MarksProps {
  readonly scales: Scales;
  readonly days: readonly DailyCount[];
}

export function Bars({ scales, days }: MarksProps) {
  const { x, y, bottom } = scales;
  return (
    <g class="bars">
      {days.map(({ date, count }, index) => (
        <rect
          key={date}
          class={index === days.length - 1 ? 'partial' : undefined}
          x={x(date)}
          width={x.bandwidth()}
          y={y(count)}
          height={bottom - y(count)}
        />
      ))}
    </g>
  );
}

export function Line({ scales, days }: MarksProps) {
  const { y, bottom } = scales;
  const getX = (day: DailyCount) => getMiddle(scales, day);
  const getY = ({ count }: DailyCount) => y(count);
  const drawLine = line<DailyCount>(getX, getY);
  const drawArea = area<DailyCount>(getX, bottom, getY);
  const complete = days.slice(0, -1);
  return (
    <g class="line">
      <path class="area" d={drawArea(complete) ?? ''} />
      <path d={drawLine(complete) ?? ''} />
      <path class="partial" d={drawLine(days.slice(-2)) ?? ''} />
    </g>
  );
}

export function Axes({ scales, days }: MarksProps) {
  const { y, ticks, left, right } = scales;
  return (
    <g class="axes">
      {ticks.map((tick) => (
        <g key={tick}>
          <line x1={left} x2={right} y1={y(tick)} y2={y(tick)} />
          <text class="value" x={left - 8} y={y(tick)}>
            {formatCount(tick)}
          </text>
        </g>
      ))}
      <DayLabels scales={scales} days={days} />
    </g>
  );
}

/** Room of a label with its day of the week, in pixels. */
const LONG_LABEL = 82;
/** Room of a label without it. */
const SHORT_LABEL = 46;
/** Room of `Today`, which ends at the right edge. */
const TODAY_LABEL = 38;

function DayLabels({ scales, days }: MarksProps) {
  const today = days.at(-1)!;
  const isLong = scales.x.step() * 7 > LONG_LABEL;
  const room = isLong ? LONG_LABEL : SHORT_LABEL;
  const mondays = days.filter((day) => isMonday(day.date) && isBetween(scales, day, room));
  return (
    <>
      {mondays.map((day) => (
        <text key={day.date} x={getMiddle(scales, day)} y={HEIGHT - 8}>
          {isLong ? formatWeekday(day.date) : formatDay(day.date)}
        </text>
      ))}
      <text class="today" x={scales.right} y={HEIGHT - 8}>
        Today
      </text>
      <line
        class="mark"
        x1={getMiddle(scales, today)}
        x2={getMiddle(scales, today)}
        y1={scales.bottom}
        y2={scales.bottom + 5}
      />
    </>
  );
}

/** Whether the label of a day is cut neither at the start nor by that of today. */
function isBetween(scales: Scales, day: DailyCount, room: number): boolean {
  const middle = getMiddle(scales, day);
  return middle - room / 2 > 0 && middle + room / 2 < scales.right - TODAY_LABEL;
}

/** The grid of a chart with the values, and its days: Mondays and today. */
import { formatCount } from '../../../common/components.tsx';
import { type DailyCount, formatDay, formatWeekday, isMonday } from './daily-count.ts';
import { getMiddle, HEIGHT, type Scales } from './scales.ts';

interface AxesProps {
  readonly scales: Scales;
  readonly days: readonly DailyCount[];
}

export function Axes({ scales, days }: AxesProps) {
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

function DayLabels({ scales, days }: AxesProps) {
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

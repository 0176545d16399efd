/** Marks of a chart: bars, or a line with its area. Today is dashed, because it has not ended. */
import { area, line } from 'd3-shape';
import type { DailyCount } from './daily-count.ts';
import { getMiddle, type Scales } from './scales.ts';

export type ChartKind = 'bars' | 'line';

interface MarksProps {
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

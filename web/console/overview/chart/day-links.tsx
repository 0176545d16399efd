/** A link per day over the marks of a chart. Only one takes part in the order of Tab: the arrow keys lead to the others. */
import { useState } from 'preact/hooks';
import { Link } from '../../../common/router.tsx';
import { describeDay } from './daily-count.ts';
import type { MarksProps } from './marks.tsx';
import { HEIGHT } from './scales.ts';

interface DayLinksProps extends MarksProps {
  readonly unit: string;
  readonly onShown: (index: number | null) => void;
  readonly linkTo: (date: string) => string;
}

const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, Home: -366, End: 366 };

export function DayLinks({ scales, days, unit, onShown, linkTo }: DayLinksProps) {
  const last = days.length - 1;
  const [tabbable, setTabbable] = useState(last);
  const move = (event: KeyboardEvent, index: number) => {
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = Math.min(last, Math.max(0, index + step));
    const link = event.currentTarget as Element;
    (link.parentElement!.children[next] as SVGAElement).focus();
  };
  return (
    <g>
      {days.map((day, index) => (
        <Link
          key={day.date}
          to={linkTo(day.date)}
          aria-label={describeDay(day, unit)}
          tabindex={index === tabbable ? 0 : -1}
          onKeyDown={(event) => move(event, index)}
          onFocus={() => {
            setTabbable(index);
            onShown(index);
          }}
          onBlur={() => onShown(null)}
        >
          <rect
            class="room"
            x={scales.x(day.date)! - (scales.x.step() - scales.x.bandwidth()) / 2}
            width={scales.x.step()}
            height={HEIGHT}
          />
        </Link>
      ))}
    </g>
  );
}

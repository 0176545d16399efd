/** The filters that apply to a list: a press removes one. */
import type { ComponentChildren } from 'preact';
import { Icon } from '../../common/icon.tsx';
import { Link } from '../../common/router.tsx';

export interface Chip {
  readonly name: string;
  readonly value: ComponentChildren;
  /** The view without this filter. */
  readonly without: string;
}

interface ChipsProps {
  readonly chips: readonly Chip[];
  /** The view without filters. */
  readonly clear: string;
}

export function Chips({ chips, clear }: ChipsProps) {
  if (chips.length === 0) return null;
  return (
    <ul class="chips" aria-label="Filters">
      {chips.map(({ name, value, without }) => (
        <li key={name}>
          <Link class="button compact chip" to={without}>
            <span class="visually-hidden">Remove the filter </span>
            <span>
              {name} <b>{value}</b>
            </span>
            <Icon name="close" />
          </Link>
        </li>
      ))}
      <li>
        <Link class="button plain compact" to={clear}>
          Clear
        </Link>
      </li>
    </ul>
  );
}

/** Icons: strokes in a square of 16 units, in the colour of the text beside them. */
import { instanceLogo } from './instance.ts';

/** Paths of `d`, drawn for this project. */
const PATHS = {
  overview: 'M2.5 2.5h4.5v6h-4.5zM9 2.5h4.5v3h-4.5zM9 7.5h4.5v6h-4.5zM2.5 10.5h4.5v3h-4.5z',
  users:
    'M8.5 5.25a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0ZM1.5 13.5c.4-2.4 2-3.7 4.5-3.7s4.1 1.3 4.5 3.7M10.8 3a2.4 2.4 0 0 1 0 4.5M12.3 10c1.3.6 2 1.8 2.2 3.5',
  tag: 'M2.5 2.5H8L13.5 8 8 13.5 2.5 8zM5.5 5.5h.01',
  events: 'M2.5 4h1M2.5 8h1M2.5 12h1M6 4h7.5M6 8h7.5M6 12h7.5',
  mail: 'M2 3.5h12v9H2zM2.3 4 8 8.7 13.7 4',
  webhooks:
    'M5 6 3.6 9.6M9.5 5.5l2.2 4M5.5 12h5M8.5 5a1.75 1.75 0 1 1-3.5 0 1.75 1.75 0 0 1 3.5 0ZM5.5 12A1.75 1.75 0 1 1 2 12a1.75 1.75 0 0 1 3.5 0ZM14 11.5a1.75 1.75 0 1 1-3.5 0 1.75 1.75 0 0 1 3.5 0Z',
  key: 'M10.5 9a3.5 3.5 0 1 0-3.3-2.3L2.5 11.5v2h2.5v-1.7h1.7V10l1-1a3.5 3.5 0 0 0 2.8 0ZM11 5h.01',
  filter: 'M2.5 4h11M4.5 8h7M6.5 12h3',
  chevron: 'm6.5 4.5 3.5 3.5-3.5 3.5',
  back: 'M13 8H3M7 4 3 8l4 4',
  form: 'M3 2.5h10v11H3zM5.5 6h5M5.5 8.5h5M5.5 11h2.5',
  settings:
    'M2 5h6.5M12.5 5H14M2 11h1.5M7.5 11H14M12.5 5a2 2 0 1 1-4 0 2 2 0 0 1 4 0ZM7.5 11a2 2 0 1 1-4 0 2 2 0 0 1 4 0Z',
  database:
    'M8 6c3 0 5.5-.8 5.5-1.9S11 2.2 8 2.2s-5.5.8-5.5 1.9S5 6 8 6ZM2.5 4.1V8c0 1.1 2.5 1.9 5.5 1.9s5.5-.8 5.5-1.9V4.1M2.5 8v3.9c0 1.1 2.5 1.9 5.5 1.9s5.5-.8 5.5-1.9V8',
  code: 'M5.5 4 2 8l3.5 4M10.5 4 14 8l-3.5 4',
  document: 'M4 1.5h5.5l3 3v10H4zM9.5 1.5v3h3M6 8h4.5M6 11h4.5',
  dots: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  search: 'M12 7A5 5 0 1 1 2 7a5 5 0 0 1 10 0ZM10.6 10.6 14 14',
  plus: 'M8 3v10M3 8h10',
  download: 'M8 2.5v8M4.5 7.5 8 11l3.5-3.5M2.5 13.5h11',
  columns: 'M2.5 3h11v10h-11zM6.2 3v10M9.8 3v10',
  close: 'm4 4 8 8M12 4l-8 8',
  refresh: 'M13.5 8A5.5 5.5 0 1 1 12 4.2M13.5 2v3h-3',
  theme: 'M14 8A6 6 0 1 1 2 8a6 6 0 0 1 12 0ZM8 2v12M8 5h4.9M8 8h6M8 11h4.9',
  check: 'M2.5 3.5h6M2.5 7.5h4M2.5 11.5h3M7.5 11.5l2 2 4.5-5',
  text: 'M3 4V3h10v1M8 3v10M6.5 13h3',
  lines: 'M2.5 4h11M2.5 8h11M2.5 12h6',
  choice: 'M14 8A6 6 0 1 1 2 8a6 6 0 0 1 12 0ZM10 8a2 2 0 1 1-4 0 2 2 0 0 1 4 0Z',
  choices: 'M2.5 3h3v3h-3zM2.5 10h3v3h-3zM8 4.5h5.5M8 11.5h5.5',
  number: 'M6 2.5 4.5 13.5M11.5 2.5 10 13.5M2.5 5.5h11M2 10.5h11',
  at: 'M10.5 8a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0ZM10.5 5.5V9c0 2 3 2 3-1A5.5 5.5 0 1 0 11 12.6',
  date: 'M2.5 3.5h11v10h-11zM2.5 6.5h11M5.5 2v3M10.5 2v3',
  checkbox: 'M2.5 2.5h11v11h-11zM5 8l2 2 4-4',
  grip: 'M6 4h.01M10 4h.01M6 8h.01M10 8h.01M6 12h.01M10 12h.01',
  up: 'm4.5 9.5 3.5-3.5 3.5 3.5',
  down: 'm4.5 6.5 3.5 3.5 3.5-3.5',
  open: 'M9 2.5h4.5V7M13.5 2.5l-6 6M11.5 9.5v4h-9v-9h4',
  window: 'M2 3h12v10H2zM2 6h12M4 4.5h.01M6 4.5h.01',
  enter: 'M9.5 2.5h4v11h-4M6.5 5l3 3-3 3M9.5 8H2',
  trash: 'M2.5 4h11M6 4V2.5h4V4M4 4l.7 9.5h6.6L12 4M6.7 6.5v4.5M9.300 6.5v4.5',
  leave: 'M6.5 2.5h-4v11h4M10.5 5l3 3-3 3M13.5 8H6',
} as const;
export type IconName = keyof typeof PATHS;

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}

/** The logo of the instance, or the mark of the product: a bell on a desk. */
export function Logo() {
  if (instanceLogo.value !== null) return <img class="logo" src={instanceLogo.value} alt="" />;
  return (
    <svg class="logo" viewBox="0 0 24 24" aria-hidden="true">
      <path d="M4 18h16M5.5 15.5a6.5 6.5 0 0 1 13 0M12 9V6M9.8 6h4.4" />
    </svg>
  );
}

/** The filters of a list, described as data: they are in the URL, and shown by a bar of controls and by chips. */
import type { ComponentChildren, FunctionComponent } from 'preact';
import { Icon } from '../../common/icon.tsx';
import { Link, navigate, query, withQuery } from '../../common/router.tsx';

/** Values by parameter of the URL, which is that of the API; null for any. */
export type Filter = Readonly<Record<string, string | null>>;

export interface ControlProps {
  readonly filter: Filter;
  /** Shows the list with these changes. With `replace`, in place of the present view in the history. */
  readonly onFilter: (changes: Filter, options?: { readonly replace: boolean }) => void;
}

interface Parameter {
  /** The name of its chip, or how it depends on the value. Without both, the control alone shows the value. */
  readonly chip?: string;
  readonly getChip?: (value: string) => string;
  /** Returns null for values of another release and for typed ones. */
  readonly read?: (text: string) => string | null;
  readonly format?: (value: string) => ComponentChildren;
}

export interface FilterField {
  readonly parameters: Readonly<Record<string, Parameter>>;
  readonly Control: FunctionComponent<ControlProps>;
}

/** The filters of one list. All functions use the present URL. */
export interface ListFilters {
  readonly fields: readonly FilterField[];
  readonly parameters: Readonly<Record<string, Parameter>>;
  readonly read: () => Filter;
  readonly link: (changes: Filter) => string;
  /** Returns the list without filters. */
  readonly clear: () => string;
}

/** @param keep returns other parameters of the view, which stay when filters change */
export function createFilters(
  path: string,
  fields: readonly FilterField[],
  keep: () => Filter = () => ({}),
): ListFilters {
  const parameters: Record<string, Parameter> = Object.assign({}, ...fields.map((each) => each.parameters));
  const read = () =>
    Object.fromEntries(
      Object.entries(parameters).map(([name, { read: readValue = String }]) => {
        const text = query.value.get(name)?.trim();
        return [name, text ? readValue(text) : null];
      }),
    );
  return {
    fields,
    parameters,
    read,
    link: (changes) => withQuery(path, { ...read(), ...keep(), ...changes }),
    clear: () => withQuery(path, keep()),
  };
}

export function isFiltered(filter: Filter): boolean {
  return Object.values(filter).some((value) => value !== null);
}

/** Divides a condition, such as `label:answer`, at its first colon. */
export function splitCondition(condition: string): { readonly label: string; readonly value: string } {
  const [label = '', ...rest] = condition.split(':');
  return { label, value: rest.join(':') };
}

/** Not `in`, which also finds inherited members. */
export function findKey(object: object, key: string): string | null {
  return Object.hasOwn(object, key) ? key : null;
}

interface FiltersProps {
  readonly filters: ListFilters;
  readonly class?: string;
  /** A further control beside the first filter. */
  readonly beside?: ComponentChildren;
  /** Further controls. */
  readonly children?: ComponentChildren;
}

export function Filters({ filters, class: name = '', beside, children }: FiltersProps) {
  const filter = filters.read();
  const onFilter: ControlProps['onFilter'] = (changes, options) => navigate(filters.link(changes), options);
  const [first, ...others] = filters.fields.map(({ parameters, Control }) => (
    <Control key={Object.keys(parameters).join()} filter={filter} onFilter={onFilter} />
  ));
  return (
    <>
      <search class={`filters ${name}`}>
        {first}
        {beside}
        {others}
        {children}
      </search>
      <Chips filters={filters} />
    </>
  );
}

function Chips({ filters: { parameters, read, link, clear } }: Pick<FiltersProps, 'filters'>) {
  const filter = read();
  const chips = Object.entries(parameters).flatMap(([member, { chip, getChip, format = String }]) => {
    const value = filter[member] ?? null;
    const name = value === null ? undefined : (getChip?.(value) ?? chip);
    if (value === null || name === undefined) return [];
    return [{ name, value: format(value), without: link({ [member]: null }) }];
  });
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
        <Link class="button plain compact" to={clear()}>
          Clear
        </Link>
      </li>
    </ul>
  );
}

/** Moves the focus among the rows of a list by the arrow keys. */

const FOCUSABLE = 'a[href], input, button';

/**
 * Moves to the same column of the row above or below; from outside of all lists, to the first row. Returns false if
 * there is no such row, or if the arrow keys mean something else where the focus is.
 */
export function moveInList(key: 'ArrowUp' | 'ArrowDown', target: Element): boolean {
  const row = target.closest<HTMLTableRowElement>('.records tbody tr');
  if (row === null) return key === 'ArrowDown' && isStart(target) && focusFirstRow();
  const next = findRow(row, key === 'ArrowDown' ? 'nextElementSibling' : 'previousElementSibling');
  if (next === null) return false;
  const column = target.closest('td, th');
  const cell = next.children[column === null ? 0 : [...row.children].indexOf(column)];
  return focus(cell?.querySelector(FOCUSABLE) ?? next.querySelector(FOCUSABLE));
}

/** Returns the next row that is a record, not the detail that is folded out below one. */
function findRow(row: Element, side: 'nextElementSibling' | 'previousElementSibling'): Element | null {
  let next = row[side];
  while (next?.matches('.fold')) next = next[side];
  return next;
}

/** Sets the focus after a list has been opened or searched. Pages without a search scroll by these keys. */
function isStart(target: Element): boolean {
  return target.matches('body, h1, main, [type=search]') && document.querySelector('[type=search]') !== null;
}

function focusFirstRow(): boolean {
  return focus(document.querySelector('.records tbody .main-cell :is(a, button)'));
}

function focus(element: Element | null): boolean {
  if (!(element instanceof HTMLElement)) return false;
  element.focus();
  return true;
}

/** Clicks on the row of a list, with the effect of its link or button. */

/** Whether nothing else in the row was clicked, and none of its text is being selected. */
export function isRowClick({ target }: MouseEvent): boolean {
  const isOther = (target as Element).closest('a, button, input, label, .check') !== null;
  return !isOther && getSelection()?.isCollapsed !== false;
}

/** Returns one member of each item: for comparisons of lists by the member that matters. */
export const pluck = <Name extends string, Item extends { readonly [member in Name]?: unknown }>(
  items: readonly Item[],
  name: Name,
): Item[Name][] => items.map((item) => item[name]);

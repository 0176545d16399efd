/** Finds operations by words of their name, path or method. */
import { type Group, getName, type Operation } from './description/operations.ts';

/** Returns the groups with the operations that have every word of the filter; groups without any are left out. */
export function filterGroups(groups: readonly Group[], filter: string): Group[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = (operation: Operation, tag: string) => {
    const { id, method, path } = operation;
    const text = `${getName(operation)} ${id} ${method} ${path} ${tag}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
  return groups
    .map((group) => ({ ...group, operations: group.operations.filter((each) => matches(each, group.tag)) }))
    .filter(({ operations }) => operations.length > 0);
}

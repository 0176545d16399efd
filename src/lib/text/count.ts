/** Returns a count with its noun, in the plural unless there is one: `1 message`, `2 messages`. */
export function formatCount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Returns the messages of all members; the message of the response ends with their number instead. */
export function listErrors(message: string, errors: Readonly<Record<string, readonly string[]>>): string {
  return Object.values(errors).flat().join(' ') || message;
}

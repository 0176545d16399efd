/** Validates the draft of a request before it is sent. */
import { type Draft, type Field, type Form, toKey } from './draft.ts';

/** Key of the message about the body. */
export const BODY = 'body';

/** Returns messages by key of the field; none if the request can be sent. */
export function checkDraft({ fields, bodyType, isBodyRequired }: Form, draft: Draft): Record<string, string> {
  const found = fields.map((field) => [toKey(field), checkField(field, draft.values[toKey(field)] ?? '')]);
  const body = bodyType === null ? null : checkBody(bodyType, isBodyRequired, draft.body);
  return Object.fromEntries([...found, [BODY, body]].filter(([, message]) => message !== null));
}

function checkField({ name, place, isRequired }: Field, value: string): string | null {
  if (value === '') return isRequired ? `Enter ${name}.` : null;
  // URLs have their own meaning of these segments: the request would reach another operation.
  if (place === 'path' && /^\.\.?$/.test(value)) return 'A part of the path cannot be “.” or “..”.';
  if (place === 'header' && !isHeaderValue(name, value)) return 'A header cannot have these characters.';
  return null;
}

function isHeaderValue(name: string, value: string): boolean {
  try {
    return new Headers([[name, value]]).has(name);
  } catch {
    return false;
  }
}

function checkBody(type: string, isRequired: boolean, text: string): string | null {
  if (text.trim() === '') return isRequired ? 'Enter a body.' : null;
  if (!/json$/.test(type)) return null;
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    return `This is not JSON: ${(error as SyntaxError).message}.`;
  }
}

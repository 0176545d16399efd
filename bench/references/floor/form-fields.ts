/** Rules of form fields, written for one use. */

const TYPES: readonly unknown[] = ['text', 'number', 'email', 'date', 'checkbox'];
const LABEL = /^[a-zA-Z0-9_-]+$/;

/** Checks the `fields` member of a parsed body. Returns one text per failing member. */
export function checkFields(fields: unknown): string[] {
  if (!Array.isArray(fields) || fields.length === 0) return ['Fields array is required'];
  const errors: string[] = [];
  for (const field of fields) {
    if (typeof field !== 'object' || field === null) {
      errors.push('invalid field format');
      continue;
    }
    const { label, type, is_required: isRequired } = field;
    if (!label) errors.push('Label is required');
    else if (label.length < 3 || label.length > 50) errors.push('Label must be between 3 and 50 characters');
    else if (!LABEL.test(label))
      errors.push('Label can only contain letters, numbers, underscores, and dashes');
    if (!type) errors.push('Type is required');
    else if (!TYPES.includes(type)) errors.push('Invalid field type');
    if (isRequired === undefined || isRequired === null) errors.push('IsRequired is required');
  }
  return errors;
}

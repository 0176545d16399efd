import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readForm } from '../../../src/features/forms/definitions/read-form.ts';
import type { Problem } from '../../../src/problems/problem.ts';
import { toPageMessage } from './messages.ts';

const FIELD = { label: 'full_name', type: 'text', is_required: true };

/** Members of a form with what is wrong in them, as the console can send them, and the message of the page. */
const SETTINGS: readonly (readonly [members: object, message: string])[] = [
  [{ title: '' }, 'Required.'],
  [{ title: 'a'.repeat(201) }, 'Must not be greater than 200 characters.'],
  [{ description: 'a'.repeat(10_001) }, 'Must not be greater than 10000 characters.'],
  [{ fields: [] }, 'Add a field.'],
  [
    { opens_at: '2027-01-02T00:00:00Z', closes_at: '2027-01-01T00:00:00Z' },
    'Must be later than the time at which the form opens.',
  ],
  [{ max_submissions: 'many' }, 'Must be a whole number.'],
  [{ max_per_minute: 0 }, 'Must be at least 1.'],
  [{ retention_days: 5_000 }, 'Must not be greater than 3650.'],
  [{ time_zone: 'Europe/Atlantis' }, 'Must be a time zone such as Europe/Berlin.'],
  [
    { allowed_origins: ['example.com'] },
    'Enter origins such as https://example.com, without a path behind them.',
  ],
  [{ thanks: { text: '' } }, 'Enter 1 to 1,000 characters.'],
  [
    { thanks: { url: 'https://example.com' } },
    'Enter a page of an allowed origin, such as https://example.com/thanks.',
  ],
  [{ notify: { addresses: ['x'], every: 'hour' } }, 'Enter 1 to 5 different email addresses.'],
];
const FIELDS: readonly (readonly [members: object, message: string])[] = [
  [{ label: '' }, 'Label is required.'],
  [{ label: 'a' }, 'Label must be between 3 and 50 characters.'],
  [{ title: 'a'.repeat(201) }, 'Must be a text of 1 to 200 characters.'],
  [{ help: 'a'.repeat(1_001) }, 'Must be a text of 1 to 1000 characters.'],
  [{ options: ['a', 'a'] }, 'Must be 1 to 200 distinct texts of 1 to 200 characters without line breaks.'],
  [{ max_length: 'long' }, 'Must be a whole number from 1 to 10000.'],
  [{ type: 'number', min: 'low' }, 'Must be a number.'],
  [{ type: 'date', min: 'soon' }, 'Must be a date such as 2026-01-31.'],
  [{ type: 'number', min: 2, max: 1 }, 'Must not be before or below the lower bound.'],
];

function readMessages(form: object): string[] {
  try {
    readForm({ title: 'Form', fields: [FIELD], ...form });
    return [];
  } catch (error) {
    return (error as Problem).options.details!.map(({ detail }) => toPageMessage(detail));
  }
}

for (const [members, message] of SETTINGS)
  test(`the page says of ${JSON.stringify(members).slice(0, 60)}: ${message}`, () =>
    assert.deepEqual(readMessages(members), [message]));

for (const [members, message] of FIELDS)
  test(`the page says of a field with ${JSON.stringify(members).slice(0, 60)}: ${message}`, () =>
    assert.deepEqual(readMessages({ fields: [{ ...FIELD, ...members }] }), [message]));

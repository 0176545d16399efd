import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { FormField } from '../../common/api-types.ts';
import { listFieldChanges } from './changes.ts';
import { createEmbedSnippet, createPageSnippet } from './snippets.ts';
import { createField, toLabel, toNumber } from './typed.ts';

const NAME: FormField = { label: 'full_name', title: 'Name', type: 'text', is_required: true };
const SIZE: FormField = {
  label: 'size',
  title: 'Size',
  type: 'text',
  is_required: false,
  options: ['S', 'M'],
};
const AGE: FormField = { label: '__proto__', title: 'Age', type: 'number', is_required: false, min: 1 };

describe('changes of the fields of a form', () => {
  const list = (before: readonly FormField[], after: readonly FormField[]) =>
    listFieldChanges(before, after).map(({ kind, name, detail }) => [kind, name, detail]);

  test('changes name fields that are added, changed, moved and removed', () => {
    const removed = 'earlier answers stay, and stay in exports as a last column';
    assert.deepEqual(list([NAME, SIZE], [NAME, SIZE]), []);
    assert.deepEqual(list([NAME, SIZE], [AGE, NAME]), [
      ['added', 'Age', 'number, optional'],
      ['removed', 'Size', removed],
    ]);
    assert.deepEqual(list([NAME, SIZE, AGE], [SIZE, { ...NAME, is_required: false }, { ...AGE, min: 0 }]), [
      ['changed', 'Name', 'text, required → text, optional'],
      ['changed', 'Age', 'minimum: 1 → 0'],
      ['changed', 'Order of the fields', ''],
    ]);
  });

  test('changes name choices that are added, removed and moved', () => {
    const change = (options: string[]) => list([SIZE], [{ ...SIZE, options }])[0]?.[2];
    assert.equal(change(['S', 'L']), 'choice “L” added; choice “M” removed');
    assert.equal(change(['M', 'S']), 'order of the choices');
  });
});

describe('fields that are typed', () => {
  test('the label of a field follows its title, within the rules of labels and distinct from others', () => {
    const taken = [{ ...createField('text', []), label: 'Full_Name' }];
    assert.equal(toLabel('Größe (cm)', []), 'gro_e_cm');
    assert.equal(toLabel('Full name', taken), 'full_name_2');
    assert.equal(toLabel('Ärzte', []), 'arzte');
    assert.equal(toLabel('שם', []), 'field');
    assert.equal(toLabel('no', []), 'field_no');
    assert.equal(toLabel('x'.repeat(80), []).length, 44);
  });

  test('a text is a number only if nothing is lost', () => {
    assert.deepEqual(['1', '-0.5', '', '1.', '0x1', '12345678901234567890'].map(toNumber), [
      1,
      -0.5,
      null,
      '1.',
      '0x1',
      '12345678901234567890',
    ]);
  });
});

describe('snippets of a form', () => {
  const address = 'https://example.com/base/f/1';

  test('snippets escape names and labels, and post what the form asks for', () => {
    const hostile = { ...NAME, title: '<script>"&' };
    const form = { title: 'A "form"', fields: [hostile, SIZE, AGE], allowed_origins: ['https://a.example'] };
    const html = createPageSnippet(form, address);
    assert.ok(html.includes('action="https://example.com/base/f/1"'));
    assert.ok(html.includes('&lt;script&gt;&quot;&amp; <input type="text" name="full_name" required>'));
    assert.ok(html.includes('<select name="size"><option></option><option>S</option><option>M</option>'));
    assert.ok(html.includes('<input type="text" inputmode="decimal" name="__proto__">'));
    assert.ok(html.includes('name="_redirect" value="https://a.example/"'));
    const frame = createEmbedSnippet(form, address);
    assert.ok(
      frame.includes('<iframe src="https://example.com/base/f/1?embed=1" title="A &quot;form&quot;"'),
    );
    assert.ok(frame.includes('<script src="https://example.com/base/embed.js" async></script>'));
  });
});

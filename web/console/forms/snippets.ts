/** Code that people copy to use a form. */
import type { Form, FormField } from '../../common/api-types.ts';
import { toFieldName } from './typed.ts';

const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Returns HTML of a frame with the form, and of the script that fits its height. */
export function createEmbedSnippet({ title }: Pick<Form, 'title'>, address: string): string {
  const script = new URL('../embed.js', address);
  return `<iframe src="${escapeHtml(address)}?embed=1" title="${escapeHtml(title)}" style="width: 100%; border: 0"></iframe>
<script src="${escapeHtml(script.href)}" async></script>`;
}

/** Returns HTML of a form that posts to the service. */
export function createPageSnippet(form: Pick<Form, 'fields' | 'allowed_origins'>, address: string): string {
  const [origin] = form.allowed_origins;
  const redirect =
    origin === undefined ? [] : [`  <input type="hidden" name="_redirect" value="${escapeHtml(origin)}/">`];
  return [
    `<form method="post" action="${escapeHtml(address)}">`,
    ...form.fields.map(createControl),
    ...redirect,
    '  <button>Send</button>',
    '</form>',
  ].join('\n');
}

function createControl(field: FormField): string {
  const { label, type, options, multiple, is_required: isRequired } = field;
  const name = `name="${escapeHtml(label)}"`;
  const title = escapeHtml(toFieldName(field));
  const required = isRequired ? ' required' : '';
  if (type === 'checkbox') return `  <label><input type="checkbox" ${name}${required}> ${title}</label>`;
  if (options && multiple) {
    const boxes = options.map(
      (option) =>
        `    <label><input type="checkbox" ${name} value="${escapeHtml(option)}"> ${escapeHtml(option)}</label>`,
    );
    return ['  <fieldset>', `    <legend>${title}</legend>`, ...boxes, '  </fieldset>'].join('\n');
  }
  if (options) {
    const choices = ['', ...options].map((option) => `<option>${escapeHtml(option)}</option>`);
    return `  <label>${title} <select ${name}${required}>${choices.join('')}</select></label>`;
  }
  if (field.multiline) return `  <label>${title} <textarea ${name}${required}></textarea></label>`;
  // A field of the type number would leave out what the browser does not understand.
  const kind = type === 'number' ? 'text" inputmode="decimal' : type;
  return `  <label>${title} <input type="${kind}" ${name}${required}></label>`;
}

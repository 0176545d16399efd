/** Requests to the pages of forms, as browsers send them. */
import type { ApiRequest, ApiResponse } from './api.ts';
import { FORM_TYPE } from './browser/account-pages.ts';
import { FORMS, publishTestForm } from './forms.ts';
import type { TestService } from './service.ts';
import { admin } from './service.ts';

export const ORIGIN = 'https://www.example.com';

/** A form with a field of each kind. */
export const LAB_DAY = {
  title: 'Open Lab Day',
  description: 'Three days of making.\nEverything is free.',
  allowed_origins: [ORIGIN],
  fields: [
    { label: 'full_name', type: 'text', is_required: true, title: 'Full name' },
    { label: 'email', type: 'email', is_required: false, help: 'Your ticket is sent to it.' },
    { label: 'people', type: 'number', is_required: true, title: 'People', min: 1, max: 6 },
    { label: 'day', type: 'date', is_required: false, min: '2026-12-11', max: '2026-12-13' },
    { label: 'session', type: 'text', is_required: true, title: 'Session', options: ['Early', 'Late'] },
    { label: 'city', type: 'text', is_required: false, options: ['A', 'B', 'C', 'D', 'E', 'F', 'G'] },
    { label: 'try', type: 'text', is_required: false, options: ['Radio', 'Laser'], multiple: true },
    { label: 'meal', type: 'text', is_required: false, options: ['Vegan', 'Other'] },
    { label: 'more', type: 'text', is_required: false, multiline: true, max_length: 20 },
    { label: 'consent', type: 'checkbox', is_required: true, title: 'I accept <b>the terms</b>.' },
  ],
};

/** Answers that `LAB_DAY` accepts. */
export const ANSWERS: readonly (readonly [name: string, value: string])[] = [
  ['full_name', 'Ada'],
  ['people', '2'],
  ['session', 'Late'],
  ['consent', 'on'],
];

/** Publishes a form, and returns the paths of its page and in the API. */
export async function publishPage(service: TestService, members: object = {}) {
  const api = await publishTestForm(service, { ...LAB_DAY, ...members });
  return { api, page: `/f/${api.slice(FORMS.length + 1)}` };
}

/** Sends a form to a path, and does not follow a redirect. */
export function sendForm(
  { api }: Pick<TestService, 'api'>,
  path: string,
  values: readonly (readonly [name: string, value: string])[] = ANSWERS,
  headers: ApiRequest['headers'] = {},
): Promise<ApiResponse> {
  const raw = new URLSearchParams(values.map(([name, value]) => [name, value])).toString();
  return api.request('POST', path, { raw, headers: { 'content-type': FORM_TYPE, ...headers } });
}

/** Returns where the form of a page is sent, with its key. */
export function getAction({ text }: ApiResponse): string {
  return /<form method="post" action="([^"]*)"/.exec(text)![1]!.replaceAll('&amp;', '&');
}

export async function listSubmissions({ api }: TestService, path: string, query = '') {
  return (await api.get(`${path}/submissions${query}`, admin)).body.data;
}

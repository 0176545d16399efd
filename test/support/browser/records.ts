/** Records that pages show, seen and changed by the API as an administrator. */
import assert from 'node:assert/strict';
import type { ApiResponse } from '../api.ts';
import { admin, editor, type TestService } from '../service.ts';

/** Returns the member `data`; undefined if there is no such record. */
export const readData = async ({ api }: TestService, path: string) => (await api.get(path, admin)).body.data;

/** Creates a record, and returns it. */
export async function createRecord({ api }: TestService, path: string, body: object) {
  const response = await api.post(path, body, admin);
  assert.equal(response.status, 201, response.text);
  return response.body.data;
}

/** Changes a record as somebody else does, whatever its version is. */
export const changeRecord = ({ api }: TestService, path: string, changes: object): Promise<ApiResponse> =>
  api.patch(path, changes, editor);

/** The content of a PNG file of one pixel. */
export const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

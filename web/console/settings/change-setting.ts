/** Sends changes of settings, and lets the frame of the page follow them. */
import { basePath } from '../../common/api.ts';
import type { Setting, SettingList } from '../../common/api-types.ts';
import { brandColor, instanceLogo, instanceName } from '../../common/instance.ts';
import { request } from '../session.ts';
import { announce } from '../status.tsx';

export const LOGO = 'INSTANCE_LOGO';
const PATH = '/api/v1/admin/settings';

/** Changes a setting to a text, or to its default by null. @throws ApiError */
export type ChangeSetting = (setting: Setting, text: string | null) => Promise<void>;

/** Creates the function that changes a setting, offers to undo that, and calls `onChanged`. */
export function createChangeSetting(onChanged: () => void): ChangeSetting {
  const send = async (name: string, text: string | null) => {
    const { body, headers } = await request<{ data: SettingList }>(PATH, {
      method: 'PATCH',
      // One setting is changed, whatever others have changed: the person has seen its value.
      headers: { 'If-Match': '*' },
      body: { [name]: text },
    });
    const { value } = body.data.settings.find((setting) => setting.name === name)!;
    followInFrame(name, value, headers.get('etag')!);
    onChanged();
    return value;
  };
  return async (setting, text) => {
    const { name, title, source, value } = setting;
    const before = source === 'database' ? await readStoredText(setting) : null;
    const after = await send(name, text);
    const undo = async () => {
      await send(name, before);
      announce(`${title} is ${value ?? 'not set'} again.`);
    };
    announce(`${title} was changed from ${value ?? 'not set'} to ${after ?? 'not set'}.`, { undo });
  };
}

/** Shows the value of a setting in the frame of the console at once. */
export function followInFrame(name: string, value: string | null, etag: string): void {
  if (name === 'INSTANCE_NAME') instanceName.value = value ?? instanceName.value;
  if (name === 'BRAND_COLOR') brandColor.value = value;
  if (name === LOGO) instanceLogo.value = value && `${basePath}/logo?v=${etag.slice(1, -1)}`;
}

/** Returns the text to set back to. That of a logo is the file itself. */
async function readStoredText({ name, value }: Setting): Promise<string | null> {
  if (name !== LOGO || instanceLogo.value === null) return value;
  return readDataUrl(await (await fetch(instanceLogo.value)).blob());
}

/** Returns the content of a file as a data URL. */
export function readDataUrl(file: Blob): Promise<string> {
  const reader = new FileReader();
  return new Promise((resolve, reject) => {
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}

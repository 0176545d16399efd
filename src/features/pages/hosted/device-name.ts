/** Names of devices in the language of a page. */
import { splitDevice } from '../../../lib/devices.ts';
import type { LanguageTexts } from '../../texts/language-file.ts';

/** Returns the description that `describeDevice` has made in the language of the page; null without one. */
export function nameDevice({ text }: LanguageTexts, device: string | null): string | null {
  if (device === null) return null;
  const [program = device, system] = splitDevice(device);
  return system === undefined ? program : text('people.device.on', { program, system });
}

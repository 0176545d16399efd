/** Short descriptions of clients. */
import Bowser from 'bowser';
import { LRUCache } from 'lru-cache';

/** Longer ones are cut: a header may have kilobytes. */
const MAX_USER_AGENT = 512;
const MAX_DEVICE = 80;
/** At most a quarter of a megabyte. Parsing a header takes about 20 µs, in the transaction of its event. */
const MAX_CACHED = 500;

const ON = ' on ';

const cached = new LRUCache<string, string>({ max: MAX_CACHED, memoMethod: describeUserAgent });

/** Describes the program of a User-Agent header, such as "Firefox on Windows"; null without one. It proves nothing. */
export function describeDevice(userAgent: string | null): string | null {
  if (userAgent === null || userAgent.trim() === '') return null;
  return cached.memo(userAgent.slice(0, MAX_USER_AGENT));
}

function describeUserAgent(text: string): string {
  const { browser, os } = Bowser.parse(text);
  const names = [browser.name, os.name].filter(Boolean);
  // Programs name themselves first: "curl/8.9.1", "python-requests/2.32".
  const device = names.length > 0 ? names.join(ON) : text.split(/[\s(]/u, 1)[0]!;
  return device.slice(0, MAX_DEVICE);
}

/** Returns the program of a description, and its operating system if it is known. */
export const splitDevice = (device: string): readonly string[] => device.split(ON);

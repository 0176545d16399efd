/** Formats lines of the log for people, with pino-pretty. */
import { styleText } from 'node:util';
import { pino } from 'pino';
import { type PrettyOptions, prettyFactory } from 'pino-pretty';

/** Enough to find a request among those of a terminal; errors are logged with the whole id. */
const ID_LENGTH = 8;

interface LogEntry {
  readonly level: number;
  readonly time: string;
  readonly msg?: string;
}

interface RequestEntry extends LogEntry {
  readonly request_id: string;
  readonly method: string;
  readonly route: string | null;
  readonly status: number;
  readonly ms: number;
}

const OPTIONS: PrettyOptions = { colorize: false, ignore: 'time,level' };

const formatRequest = prettyFactory({
  ...OPTIONS,
  hideObject: true,
  messageFormat: (entry) => requestText(entry as unknown as RequestEntry),
});

/** Members are on lines of their own, so that links and identifiers can be copied, and stacks can be read. */
const formatOther = prettyFactory({
  ...OPTIONS,
  messageFormat: (entry) => otherText(entry as unknown as LogEntry),
});

/** Returns the text of a line of JSON, with its line break. */
export function formatForTerminal(line: string): string {
  const entry: LogEntry | RequestEntry = JSON.parse(line);
  return 'method' in entry && 'ms' in entry ? formatRequest(entry) : formatOther(entry);
}

/** `12:04:31 POST /api/register 201 758 ms b6da2bcc`. */
function requestText({ time, request_id: id, method, route, status, ms }: RequestEntry): string {
  const milliseconds = ms < 10 ? ms.toFixed(1) : Math.round(ms);
  const parts = [clockTime(time), method, route ?? '(no route)', colored(status), `${milliseconds} ms`];
  return [...parts, styleText('dim', id.slice(0, ID_LENGTH))].join(' ');
}

function colored(status: number): string {
  return status < 400 ? String(status) : styleText(status < 500 ? 'yellow' : 'red', String(status));
}

/** `12:04:31 WARN text`; lines of level info have no label. */
function otherText({ level, time, msg = '' }: LogEntry): string {
  return [clockTime(time), ...toLabel(level), msg].join(' ').trimEnd();
}

function toLabel(level: number): string[] {
  const { labels, values } = pino.levels;
  const label = labels[level]!.toUpperCase();
  if (level <= values.info!) return level === values.info ? [] : [label];
  return [styleText(['bold', level === values.warn ? 'yellow' : 'red'], label)];
}

/** The time of the day where the terminal is. */
const clockTime = (time: string): string => new Date(time).toTimeString().slice(0, 8);

/** A strict parser of the text format of Prometheus, independent of the library that writes it. */
import assert from 'node:assert/strict';

export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface Family {
  readonly type: string;
  readonly help: string;
  readonly samples: Sample[];
}

const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*';
const COMMENT = new RegExp(`^# (HELP|TYPE) (${NAME}) (.*)$`);
const SAMPLE = new RegExp(`^(${NAME})(?:\\{(.*)\\})? (\\S+)$`);
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/y;
const TYPES = ['counter', 'gauge', 'histogram', 'summary'];
/** Endings of the samples of a family. */
const ENDINGS: Readonly<Record<string, readonly string[]>> = {
  histogram: ['_bucket', '_sum', '_count'],
  summary: ['', '_sum', '_count'],
};

/** Returns the families by name. @throws AssertionError naming the first wrong line */
export function parseExposition(text: string): Map<string, Family> {
  assert.ok(text.endsWith('\n'), 'the last line ends');
  const families = new Map<string, Family>();
  const help = new Map<string, string>();
  const seen = new Set<string>();
  let current = '';
  for (const line of text.split('\n').filter((each) => each !== '')) {
    const [, keyword, name = '', rest = ''] = COMMENT.exec(line) ?? [];
    if (keyword === 'HELP') help.set(name, rest);
    if (keyword === 'TYPE') {
      assert.ok(TYPES.includes(rest) && help.get(name) && !families.has(name), line);
      families.set(name, { type: rest, help: help.get(name)!, samples: [] });
      current = name;
    }
    if (keyword !== undefined) continue;
    const sample = parseSample(line);
    const family = families.get(current);
    const endings = ENDINGS[family?.type ?? ''] ?? [''];
    assert.ok(family !== undefined && endings.some((ending) => sample.name === current + ending), line);
    const series = JSON.stringify([sample.name, Object.entries(sample.labels).sort()]);
    assert.ok(!seen.has(series), `twice: ${line}`);
    seen.add(series);
    family.samples.push(sample);
  }
  return families;
}

function parseSample(line: string): Sample {
  const [, name, labels = '', value] = SAMPLE.exec(line) ?? [];
  assert.ok(
    name !== undefined && /^([-+]?(\d+(\.\d+)?|\.\d+)(e[-+]?\d+)?|[-+]?Inf|NaN)$/i.test(value!),
    line,
  );
  const parsed: Record<string, string> = {};
  LABEL.lastIndex = 0;
  while (LABEL.lastIndex < labels.length) {
    const found = LABEL.exec(labels);
    assert.ok(found !== null && !(found[1]! in parsed), line);
    parsed[found[1]!] = found[2]!;
  }
  return { name, labels: parsed, value: Number(value!.replace('Inf', 'Infinity')) };
}

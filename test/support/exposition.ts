/** Reads the text format of Prometheus. That it is valid is up to the library that writes it. */
import assert from 'node:assert/strict';

interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

interface Family {
  type: string;
  readonly help: string;
  readonly samples: Sample[];
}

/** Returns the families by name. @throws AssertionError naming the first line that is none of the format */
export function parseExposition(text: string): Map<string, Family> {
  const families = new Map<string, Family>();
  let family: Family | undefined;
  for (const line of text.trimEnd().split('\n').filter(Boolean)) {
    const [, keyword, of = '', rest = ''] = /^# (HELP|TYPE) (\w+) (.*)$/.exec(line) ?? [];
    if (keyword === 'HELP') {
      family = { type: '', help: rest, samples: [] };
      families.set(of, family);
    } else if (keyword === 'TYPE') family!.type = rest;
    else {
      const [, name, labels = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
      assert.ok(family !== undefined && name !== undefined, line);
      const pairs = labels.matchAll(/(\w+)="([^"]*)"/g).map(([, label, each]) => [label, each]);
      family.samples.push({ name, labels: Object.fromEntries(pairs), value: Number(value) });
    }
  }
  return families;
}

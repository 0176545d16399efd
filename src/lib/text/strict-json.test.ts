import assert from 'node:assert/strict';
import { isUtf8 } from 'node:buffer';
import { test } from 'node:test';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { Problem } from '../../problems/problem.ts';
import { parseStrictJson } from './strict-json.ts';

const REPEATED = ['label', 'type'];
const createObject = (members: number, name = 'a') =>
  `{${Array.from({ length: members }, (_, index) => `"${name}${index}":${index}`)}}`;
const byteOrderMark = '\uFEFF';
const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
const toBytes = (body: string | number[]) => Buffer.from(body as string);

function isInvalidPayload(error: unknown): boolean {
  return error instanceof Problem && error.code === 'invalid_payload';
}

/** Parses the bytes with Node's own functions; undefined if they reject them. */
function lenientParse(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) return undefined;
  try {
    return JSON.parse(bytes.toString('utf8').replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}

const accepted: [title: string, body: string][] = [
  ['a scalar', '1'],
  ['white space around the value', ' \r\n\t{ "a" : [ 1 , 2 ] } \n'],
  ['one byte order mark', `${byteOrderMark}{"a":1}`],
  ['a byte order mark inside a string', `"${byteOrderMark}"`],
  ['text beyond ASCII', '{"naïve":"漢字 😀"}'],
  ['32 levels of nesting', nested(32)],
  ['32 levels of objects', `${'{"a":'.repeat(32)}1${'}'.repeat(32)}`],
  ['many brackets side by side', `[${'[],{},'.repeat(100)}[]]`],
  ['brackets inside a string', `"${'[{'.repeat(40)}"`],
  ['colons, quotes and backslashes inside strings', String.raw`{"a:\"":":\\","b\\":"\\\":{"}`],
  ['the same name in different objects', '[{"a":{"a":1}},{"a":2}]'],
  ['names that differ in case', '{"a":1,"A":2}'],
  ['names that differ in Unicode normalisation', '{"\u00e9":1,"e\u0301":2}'],
  ['names of inherited members', '{"toString":1,"hasOwnProperty":2,"prototype":{},"constructor":"x"}'],
  [
    'constructor with harmless values',
    '[{"constructor":null},{"constructor":{"a":1}},{"constructor":["prototype"]}]',
  ],
  ['prototype in a member that is not constructor', '{"a":{"prototype":{}}}'],
  ['names that look like indexes', '{"1":1,"0":2,"01":3,"4294967295":4}'],
  ['an empty name', '{"":1}'],
  ['a lone surrogate and U+0000 in a string', String.raw`{"\ud800":"\udc00 \u0000"}`],
];

for (const [title, body] of accepted) {
  test(`parseStrictJson accepts ${title}`, () => {
    assert.deepEqual(parseStrictJson(toBytes(body)), lenientParse(toBytes(body)));
    assert.notEqual(lenientParse(toBytes(body)), undefined);
  });
}

test('parseStrictJson accepts 1,000 members and 80,000 objects, arrays and texts, and any number of numbers', () => {
  const large = [
    createObject(1_000),
    `[${'{},'.repeat(79_998)}{}]`,
    `[${'"",[],'.repeat(39_999)}""]`,
    `[${'1,'.repeat(500_000)}1]`,
    `{"a":[${'"a:[{",'.repeat(79_997)}""]}`,
  ];
  for (const text of large) assert.deepEqual(parseStrictJson(toBytes(text)), JSON.parse(text));
});

test('parseStrictJson does not count members with a repeated name, unless the name is spelled with escapes', () => {
  const definitions = (name: string) =>
    toBytes(`[${`{"${name}":1,"type":2},`.repeat(1_001)}${createObject(1_000)}]`);
  assert.equal(
    (parseStrictJson(definitions('label'), { repeatedMembers: REPEATED }) as object[]).length,
    1_002,
  );
  for (const name of ['Label', 'labe', 'labels', 'xlabel', '', String.raw`lab\u0065l`, String.raw`label\"`]) {
    assert.throws(
      () => parseStrictJson(definitions(name), { repeatedMembers: REPEATED }),
      isInvalidPayload,
      name,
    );
  }
  assert.throws(() => parseStrictJson(definitions('label')), isInvalidPayload);
});

test('parseStrictJson accepts exactly the texts with at most 1,000 members, wherever they are', () => {
  const sizes = fc.array(fc.nat(400), { minLength: 1, maxLength: 6 });
  const pretty = fc.constantFrom(undefined, '\t');
  fc.assert(
    fc.property(sizes, fc.integer({ min: -2, max: 2 }), pretty, (others, difference, indent) => {
      const sum = others.reduce((one, other) => one + other, 0) + others.length;
      const objects = [...others, Math.max(0, 1_000 - sum + difference)].map((size) =>
        JSON.parse(createObject(size, ':\\"{')),
      );
      const value = objects.reduce((inner, outer) => ({ ...outer, inner: [inner] }));
      const text = toBytes(JSON.stringify(value, null, indent));
      if (Math.max(sum, 1_000 + difference) <= 1_000) assert.deepEqual(parseStrictJson(text), value);
      else assert.throws(() => parseStrictJson(text), isInvalidPayload);
    }),
  );
});

const rejected: [title: string, body: string | number[]][] = [
  ['an empty body', ''],
  ['a byte order mark alone', byteOrderMark],
  ['a second byte order mark', `${byteOrderMark}${byteOrderMark}{}`],
  ['an unfinished string', '{"a'],
  ['a string that ends in a backslash', '"\\'],
  ['a value after the value', '{} {}'],
  ['a trailing comma', '[1,]'],
  ['a raw control character in a string', '"\u0000"'],
  ['a byte that never occurs in UTF-8', [0x22, 0xff, 0x22]],
  ['an overlong form', [0x22, 0xc0, 0xaf, 0x22]],
  ['a surrogate in UTF-8', [0x22, 0xed, 0xa0, 0x80, 0x22]],
  ['a cut sequence', [0x22, 0xe2, 0x82, 0x22]],
  ['UTF-16', [0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]],
  ['a duplicate name', '{"a":1,"a":1}'],
  ['a duplicate name spelled with an escape', String.raw`{"a":1,"\u0061":2}`],
  ['a duplicate name inside an array', '[1,{"b":[{"a":1,"c":{},"a":2}]}]'],
  ['a duplicate inside a value that its own duplicate replaces', '{"a":{"b":1,"b":2},"a":{"b":1,"c":2}}'],
  ['a duplicate name of digits', '{"1":1,"1":2}'],
  ['a duplicate toString', '{"toString":1,"toString":2}'],
  ['__proto__', '{"__proto__":1}'],
  ['__proto__ twice', '{"__proto__":1,"__proto__":{}}'],
  ['__proto__ spelled with escapes, deep inside', String.raw`[{"a":[{"\u005f_proto\u005f_":null}]}]`],
  ['constructor with prototype', '{"constructor":{"prototype":{}}}'],
  [
    'constructor with prototype spelled with escapes',
    String.raw`[{"\u0063onstructor":{"a":1,"prototyp\u0065":0}}]`,
  ],
  ['33 levels of nesting', nested(33)],
  ['33 levels of arrays and objects', `${'[{"a":'.repeat(16)}[]${'}]'.repeat(16)}`],
  ['a mebibyte of opening brackets', '['.repeat(2 ** 20)],
  ['an object with 1,001 members', createObject(1_001)],
  ['1,001 members in several objects', `[${createObject(600)},{"x":${createObject(400)}}]`],
  ['80,001 empty objects, the list around them included', `[${'{},'.repeat(79_999)}{}]`],
  ['80,001 texts and arrays', `[${'"",[],'.repeat(40_000)}0]`],
];

for (const [title, body] of rejected) {
  test(`parseStrictJson rejects ${title}`, () => {
    assert.throws(() => parseStrictJson(toBytes(body)), isInvalidPayload);
  });
}

test('parseStrictJson does not keep bytes of a rejected body', () => {
  assert.throws(() => parseStrictJson(Buffer.from([0x22, 0xe2, 0x82])), isInvalidPayload);
  assert.deepEqual(parseStrictJson(toBytes(`${byteOrderMark}{"a":1}`)), { a: 1 });
});

test('parseStrictJson reads only the bytes of a view on a larger buffer', () => {
  const memory = new TextEncoder().encode('{"a":1},{"b":2}');
  assert.deepEqual(parseStrictJson(Buffer.from(memory.buffer, 0, 7)), { a: 1 });
});

test('the problem of a rejected body does not contain text of the body', () => {
  for (const body of ['{"password":hunter22}', '{"hunter22":1,"hunter22":2}']) {
    assert.throws(
      () => parseStrictJson(toBytes(body)),
      (error) =>
        isInvalidPayload(error) && !inspect(error, { depth: null, showHidden: true }).includes('hunter22'),
    );
  }
});

const validText = fc
  .jsonValue({ maxDepth: 20 })
  .map((value) => JSON.stringify(value))
  .filter((text) => !/"(__proto__|prototype)"/.test(text));

test('parseStrictJson returns the value of JSON.parse for every JSON text without forbidden names', () => {
  fc.assert(
    fc.property(validText, fc.constantFrom(undefined, 1, '\t'), (text, indent) => {
      const value: unknown = JSON.parse(text);
      assert.deepEqual(parseStrictJson(toBytes(JSON.stringify(value, null, indent))), value);
    }),
  );
});

function escapeAll(name: string): string {
  const codes = name.split('').map((unit) => unit.charCodeAt(0).toString(16).padStart(4, '0'));
  return `"${codes.map((code) => `\\u${code}`).join('')}"`;
}

/** Returns each text that repeats one member of one object, with its name escaped. */
function textsWithOneDuplicate(text: string): string[] {
  const objects: Record<string, unknown>[] = [];
  const root: unknown = JSON.parse(text, (_name, value) => {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) objects.push(value);
    return value;
  });
  return objects.flatMap((object) =>
    Object.keys(object).map((name) => {
      object['<added>'] = null;
      const duplicated = JSON.stringify(root).replace('"<added>"', escapeAll(name));
      delete object['<added>'];
      return duplicated;
    }),
  );
}

test('parseStrictJson rejects a duplicate of any member at any depth', () => {
  fc.assert(
    fc.property(validText, (text) => {
      for (const duplicated of textsWithOneDuplicate(text)) {
        assert.notEqual(lenientParse(toBytes(duplicated)), undefined);
        assert.throws(() => parseStrictJson(toBytes(duplicated)), isInvalidPayload);
      }
    }),
  );
});

const tokens = ['{', '}', '[', ']', ',', ':', '"', '\\', 'a', '"a"', '"b"', '"\\u0061"', '1', ' ', '\u00e9'];
const anyBytes = fc.oneof(
  fc.uint8Array().map((bytes) => Buffer.from(bytes)),
  fc.array(fc.constantFrom(...tokens)).map((parts) => toBytes(parts.join(''))),
  fc
    .tuple(fc.json(), fc.nat(), fc.nat(255))
    .map(([text, at, byte]) => Buffer.from(toBytes(text).with(at % Buffer.byteLength(text), byte))),
);

test('parseStrictJson parses any bytes as Node does or throws invalid_payload', () => {
  fc.assert(
    fc.property(anyBytes, (bytes) => {
      try {
        assert.deepEqual(parseStrictJson(bytes), lenientParse(bytes));
      } catch (error) {
        if (!isInvalidPayload(error)) throw error;
      }
    }),
    { numRuns: 2000 },
  );
});

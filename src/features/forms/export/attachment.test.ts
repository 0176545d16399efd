import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatAttachment, toFileName } from './routes.ts';

test('a file is named by its title, without characters that a system does not accept or that hide its ending', () => {
  const titles: readonly [title: string, name: string][] = [
    ['Contact', 'Contact'],
    ['Anmeldung 2026/27: "Segeln" <neu>?', 'Anmeldung 2026 27 Segeln neu'],
    ['日本語', '日本語'],
    ['..\\..\\a', 'a'],
    ['.hidden', 'hidden'],
    [' a\t\nb ', 'a b'],
    ['gpj\u202e.exe\u0000', 'gpj .exe'],
    ['///', 'submissions'],
    ['\u200b', 'submissions'],
    ['😀'.repeat(200), '😀'.repeat(50)],
  ];
  for (const [title, name] of titles) assert.equal(toFileName(title, 'submissions'), name);
});

test('an attachment has its name in ASCII, and encoded if that differs', () => {
  const names: readonly [name: string, header: string][] = [
    ['Contact 2026-01-31.csv', 'attachment; filename="Contact 2026-01-31.csv"'],
    ['Größe.xlsx', `attachment; filename="Gro_e.xlsx"; filename*=UTF-8''Gr%C3%B6%C3%9Fe.xlsx`],
    ['100 %.csv', `attachment; filename="100 _.csv"; filename*=UTF-8''100%20%25.csv`],
    [
      "😀 'a' (b)*.csv",
      `attachment; filename="_ 'a' (b)_.csv"; filename*=UTF-8''%F0%9F%98%80%20%27a%27%20%28b%29%2A.csv`,
    ],
  ];
  for (const [name, header] of names) assert.equal(formatAttachment(name), header);
});

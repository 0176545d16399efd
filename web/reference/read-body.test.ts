import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_SHOWN_LENGTH, readBody } from './read-body.ts';

test('readBody reads a whole body, also with characters that are split between chunks', async () => {
  const bytes = new TextEncoder().encode('Grüße');
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
      controller.close();
    },
  });
  assert.deepEqual(await readBody(new Response(body)), { text: 'Grüße', isCut: false });
  assert.deepEqual(await readBody(new Response(null)), { text: '', isCut: false });
});

test('readBody cuts a body that is longer than what is shown, and cancels the rest of an endless one', async () => {
  const exact = 'x'.repeat(MAX_SHOWN_LENGTH);
  assert.deepEqual(await readBody(new Response(exact)), { text: exact, isCut: false });
  let isCancelled = false;
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new TextEncoder().encode('x'.repeat(50_000))),
    cancel: () => {
      isCancelled = true;
    },
  });
  assert.deepEqual(await readBody(new Response(endless)), { text: exact, isCut: true });
  assert.equal(isCancelled, true);
});

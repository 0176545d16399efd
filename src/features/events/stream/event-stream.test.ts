import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, test } from 'node:test';
import { EventStream } from './event-stream.ts';

describe('the stream of events to one client', () => {
  const create = () => {
    const stream = new EventStream({ owner: 'ADMIN_TOKEN', position: 0, catchUp: async () => {} });
    stream.isLive = true;
    return stream;
  };

  test('a stream is destroyed when more than 1 MiB would wait for its client', async () => {
    const stream = create();
    const closed = once(stream, 'close');
    const chunk = Buffer.alloc(65_536);
    let bytes = 0;
    while (!stream.destroyed) {
      stream.send(chunk);
      bytes += chunk.length;
      assert.ok(bytes <= 1_048_576 + chunk.length);
    }
    assert.ok(bytes > 524_288);
    await closed;
  });

  test('a stream of a client that reads is not destroyed, and ends once', async () => {
    const stream = create();
    let bytes = 0;
    stream.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
    });
    for (let count = 0; count < 40; count++) {
      stream.send(Buffer.alloc(65_536));
      await new Promise(setImmediate);
    }
    assert.equal(bytes, 40 * 65_536);
    stream.end();
    stream.end();
    assert.equal(stream.send(Buffer.alloc(1)), false);
    await once(stream, 'end');
  });

  test('a stream is destroyed when earlier events cannot be read', async () => {
    const failure = new Error('the database has gone');
    const stream = new EventStream({
      owner: 'ADMIN_TOKEN',
      position: 0,
      catchUp: () => Promise.reject(failure),
    });
    const failed = once(stream, 'error');
    stream.resume();
    assert.deepEqual(await failed, [failure]);
  });
});

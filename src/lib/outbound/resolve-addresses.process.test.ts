import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import type { LookupAddress } from 'node:dns';
import { once } from 'node:events';
import { after, before, describe, test } from 'node:test';
import { createResolver, type ResolveAddresses } from './guarded-connector.ts';

const NAME_ERROR = 3;
const SERVER_FAILURE = 2;

/** Returns the response of a name server (RFC 1035 section 4.1): an IPv4 address, or a code without an answer. */
function toResponse(query: Buffer, answer: readonly number[] | number): Buffer {
  const code = typeof answer === 'number' ? answer : 0;
  const question = query.subarray(12, query.indexOf(0, 12) + 5);
  const isForIpv4 = question.readUInt16BE(question.length - 4) === 1;
  const addresses = typeof answer === 'number' || !isForIpv4 ? [] : [answer];
  const header = Buffer.from([
    ...query.subarray(0, 2),
    0x81,
    0x80 | code,
    0,
    1,
    0,
    addresses.length,
    0,
    0,
    0,
    0,
  ]);
  const records = addresses.map((bytes) => Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...bytes]));
  return Buffer.concat([header, question, ...records]);
}

function readName(query: Buffer): string {
  const labels: string[] = [];
  for (let at = 12; query[at] !== 0; at += query[at]! + 1)
    labels.push(query.toString('latin1', at + 1, at + 1 + query[at]!));
  return labels.join('.');
}

const resolveWith = (resolve: ResolveAddresses, name: string) =>
  new Promise<LookupAddress[]>((settle, reject) => {
    resolve(name, { all: true }, (error, addresses) => (error === null ? settle(addresses) : reject(error)));
  });

describe('the resolver of names that others choose', () => {
  const server = createSocket('udp4');
  const lookedUp: string[] = [];
  let running = 0;
  const lookUp = async (name: string) => {
    lookedUp.push(name);
    running++;
    assert.equal(running, 1, 'one name at a time');
    await new Promise(setImmediate);
    running--;
    return [{ address: '10.0.0.7', family: 4 }];
  };
  let resolve: ResolveAddresses;
  before(async () => {
    server.on('message', (query, { port, address }) => {
      const name = readName(query);
      if (name.endsWith('.silent.example')) return;
      const answers: Readonly<Record<string, number[] | number>> = {
        'known.example': [192, 0, 2, 7],
        'failing.example': SERVER_FAILURE,
      };
      server.send(toResponse(query, answers[name] ?? NAME_ERROR), port, address);
    });
    server.bind(0, '127.0.0.1');
    await once(server, 'listening');
    resolve = createResolver([`127.0.0.1:${server.address().port}`], lookUp);
  });
  after(() => server.close());

  test('names whose servers do not respond fail after three seconds, delay no other name, and are not looked up again', async () => {
    const begun = performance.now();
    let failures = 0;
    const silent = Array.from({ length: 20 }, async (_, index) => {
      await assert.rejects(resolveWith(resolve, `${index}.silent.example`), { code: 'ETIMEOUT' });
      failures++;
    });
    assert.deepEqual(await resolveWith(resolve, 'known.example'), [{ address: '192.0.2.7', family: 4 }]);
    await assert.rejects(resolveWith(resolve, 'failing.example'), { code: 'ESERVFAIL' });
    assert.equal(failures, 0, 'without waiting for the silent names');
    await Promise.all(silent);
    const elapsed = performance.now() - begun;
    assert.ok(elapsed > 2_000 && elapsed < 20_000, `${elapsed}`);
    assert.deepEqual(lookedUp, []);
  });

  test('names that the name servers do not know are looked up by the operating system, one at a time', async () => {
    const names = ['machine', 'receiver.default', 'other.default'];
    const found = await Promise.all(names.map((name) => resolveWith(resolve, name)));
    assert.deepEqual(found[0], [{ address: '10.0.0.7', family: 4 }]);
    assert.deepEqual(lookedUp.toSorted(), names.toSorted());
  });

  test('names in the hosts file are resolved without a name server', async () => {
    const found = await resolveWith(createResolver(['127.0.0.1:9']), 'localhost');
    assert.ok(found.some(({ address, family }) => address === '127.0.0.1' && family === 4));
  });
});

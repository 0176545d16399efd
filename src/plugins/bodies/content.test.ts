import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { describe, test } from 'node:test';
import { pluck } from '../../../test/support/pluck.ts';
import { rawRequest, sendRaw, sendRawOnce } from '../../../test/support/raw-http.ts';
import { openService, useSharedService } from '../../../test/support/service.ts';
import { until } from '../../../test/support/until.ts';

const json = 'Content-Type: application/json';
const CHECK = '/api/v1/form-fields/validate';
const fields = '{"fields":[{"label":"name","type":"text","is_required":true}]}';

const service = useSharedService('sqlite');

describe('media types and encodings of requests', () => {
  const post = (path: string, headers: string[], body: string | Uint8Array = '') =>
    sendRawOnce(service.api.url, rawRequest('POST', path, headers, body));

  const types = [
    'application/json',
    'APPLICATION/JSON',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/json; charset="utf-8"',
    'application/vnd.example.v1+json',
    'application/merge-patch+json;charset=utf-8',
  ];
  for (const type of types) {
    test(`a body of type ${type} is accepted`, async () => {
      assert.equal((await post(CHECK, [`Content-Type: ${type}`], fields)).status, 200);
    });
  }

  const otherTypes = [
    'text/plain',
    'text/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    'application/json+xml',
    'application/json; charset=latin1',
    'application/json; charset=utf-16',
    'application/json; charset=utf-8; charset=latin1',
    'application/json, text/plain',
    'application/json\u00a0',
    'json',
    '',
  ];
  for (const type of [...otherTypes, undefined]) {
    test(`a body of type ${type === undefined ? 'undefined' : `"${type}"`} is rejected with 415 and Accept`, async () => {
      const { status, headers, text } = await post(
        CHECK,
        type === undefined ? [] : [`Content-Type: ${type}`],
        fields,
      );
      assert.equal(status, 415);
      assert.equal(headers.get('accept'), 'application/json');
      const message = 'Unsupported Media Type';
      const expected = { statusCode: 415, code: 'unsupported_media_type', error: message, message };
      assert.deepEqual(JSON.parse(text), expected);
    });
  }

  for (const encoding of ['gzip', 'deflate', 'br', 'zstd', 'identity, gzip', 'x']) {
    test(`a body with the encoding ${encoding} is rejected with 415 and Accept-Encoding`, async () => {
      const { status, headers } = await post(CHECK, [json, `Content-Encoding: ${encoding}`], fields);
      assert.equal(status, 415);
      assert.equal(headers.get('accept-encoding'), 'identity');
    });
  }

  test('a body with the encoding identity is accepted', async () => {
    assert.equal((await post(CHECK, [json, 'Content-Encoding: identity'], fields)).status, 200);
  });

  test('a chunked body is accepted', async () => {
    const bytes = Buffer.from(fields);
    const cut = bytes.length >> 1;
    const chunk = (part: Uint8Array) => `${part.length.toString(16)}\r\n${Buffer.from(part)}\r\n`;
    const body = `${chunk(bytes.subarray(0, cut))}${chunk(bytes.subarray(cut))}0\r\n\r\n`;
    const head = rawRequest('POST', CHECK, [json, 'Transfer-Encoding: chunked']);
    const { status } = await sendRawOnce(service.api.url, Buffer.concat([head, Buffer.from(body)]));
    assert.equal(status, 200);
  });

  const absences = [
    [],
    [json],
    [json, 'Content-Length: 0'],
    ['Content-Length: 0'],
    ['Content-Type: text/plain'],
  ];
  for (const headers of absences) {
    test(`an absent body is accepted where it is optional and rejected elsewhere, with [${headers.join(', ')}]`, async () => {
      assert.equal((await post('/api/v1/users', headers)).status, 201);
      const { status, text } = await post('/api/register', headers);
      assert.deepEqual([status, JSON.parse(text).code], [400, 'invalid_payload']);
    });
  }

  test('an empty chunked body is accepted where it is optional', async () => {
    const head = rawRequest('POST', '/api/v1/users', [json, 'Transfer-Encoding: chunked']);
    const { status } = await sendRawOnce(service.api.url, Buffer.concat([head, Buffer.from('0\r\n\r\n')]));
    assert.equal(status, 201);
  });
});

test('a client that disconnects within its body is logged as a 400 and not as a failure', async (context) => {
  const { api, log } = await openService(context, 'sqlite');
  const { port, hostname } = new URL(api.url);
  const fields = `Host: a\r\n${json}\r\nContent-Length: 100\r\nX-Request-Id: disconnected`;
  const socket = connect(Number(port), hostname);
  socket.write(`POST ${CHECK} HTTP/1.1\r\n${fields}\r\n\r\n{"fields":`, () => socket.destroy());
  const findLine = () => log.find(({ request_id }) => request_id === 'disconnected');
  await until(() => findLine() !== undefined, 'the request is logged');
  assert.equal(findLine()?.status, 400);
  assert.ok(log.every(({ level }) => (level as number) < 40));
});

test('a body that the route does not use is discarded, and the next request gets its response', async () => {
  const body = 'x'.repeat(2 ** 16);
  const head = `GET /livez HTTP/1.1\r\nHost: a\r\n${json}\r\nContent-Length: ${body.length}\r\n\r\n`;
  const responses = await sendRaw(
    service.api.url,
    Buffer.concat([Buffer.from(head + body), rawRequest('GET', '/livez')]),
  );
  assert.deepEqual(pluck(responses, 'status'), [200, 200]);
});

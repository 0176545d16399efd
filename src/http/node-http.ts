/**
 * What we use of node:http. An import would look at every name that the module has, and some of them (WebSocket
 * and its events) load a whole HTTP client at the sight: 40 ms of each start, and memory for good.
 */
export const { createServer, ServerResponse } = process.getBuiltinModule('node:http');

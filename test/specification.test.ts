/** The specification of the API as tables of requests and responses. */
import { testCases } from './specification/case.ts';
import { endpoints } from './specification/endpoints.ts';
import { protocol } from './specification/protocol.ts';

testCases('endpoints', endpoints);
testCases('protocol', protocol);

/** The specification of the API as tables of requests and responses. */
import { testCases } from './specification/case.ts';
import { endpoints } from './specification/endpoints.ts';

testCases('endpoints', endpoints);

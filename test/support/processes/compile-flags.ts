/**
 * Options of V8 for processes of the tests: code is compiled in the thread that runs it. One that compiles while the
 * process exits can wait for a garbage collection, and the exit for the thread, without end; no signal but SIGKILL ends
 * the process then (https://github.com/nodejs/node/issues/54918). The tests start and end a thousand processes.
 */
export const COMPILE_FLAGS = ['--no-concurrent-recompilation', '--no-concurrent-sparkplug'];

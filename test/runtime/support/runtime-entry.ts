/** What the processes of parent-watch.test.ts need of ours. */
export { endWithParent } from '../../../src/runtime/parent-watch.ts';
export { writeRunRecord } from '../../../src/runtime/run-record.ts';

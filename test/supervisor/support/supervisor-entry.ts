/** What the processes of parent-watch.test.ts need of ours. */
export { endWithParent } from '../../../src/supervisor/parent-watch.ts';
export { writeRunRecord } from '../../../src/supervisor/run-record.ts';

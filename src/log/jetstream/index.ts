export { connectBus, connectLog, openTable } from '../connect.ts';

export { storedAccount } from '../../stored-account.ts';

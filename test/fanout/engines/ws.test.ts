import { describe } from 'vitest';
import { openEngine } from '../../../src/fanout/engines/open-engine.ts';
import { mayShareNamedPorts } from '../../../src/fanout/engines/ws/server.ts';
import { describeEngine, type Seen } from './contract.ts';
import { describeProtocol } from './protocol.ts';

describe('ws', () => {
  describe('what the feeds rely on', () =>
    describeEngine(() => openEngine<Seen>('ws').server, mayShareNamedPorts()));
  describe('RFC 6455', () => describeProtocol(() => openEngine<string[]>('ws').server));
});

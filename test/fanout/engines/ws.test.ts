import { describe } from 'vitest';
import { openEngine } from '../../../src/fanout/engines/open-engine.ts';
import { mayShareNamedPorts } from '../../../src/fanout/engines/ws/shared-ports.ts';
import { describeEngine, type Seen } from './contract.ts';

describe('ws', () => describeEngine(() => openEngine<Seen>('ws').server, mayShareNamedPorts()));

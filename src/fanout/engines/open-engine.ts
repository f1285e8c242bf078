import type { EngineChoice, SocketServer } from './engine.ts';
import { EngineUnavailable, loadEngine } from './uwebsockets/library.ts';
import { UwebsocketsServer } from './uwebsockets/server.ts';
import { WsServer } from './ws/server.ts';

interface OpenedEngine<Data> {
  readonly server: SocketServer<Data>;
  /** Why uWebSockets.js was not taken although it was preferred; null: it was, or was not asked for. */
  readonly fallbackReason: string | null;
}

/**
 * Opens the chosen websocket engine.
 * @throws EngineUnavailable if uWebSockets.js is demanded and cannot be loaded
 */
export function openEngine<Data>(
  choice: EngineChoice,
  load: () => ReturnType<typeof loadEngine> = loadEngine,
): OpenedEngine<Data> {
  if (choice === 'ws') return { server: new WsServer(), fallbackReason: null };
  try {
    return { server: new UwebsocketsServer(load()), fallbackReason: null };
  } catch (error) {
    if (choice === 'uwebsockets' || !(error instanceof EngineUnavailable)) throw error;
    return { server: new WsServer(), fallbackReason: error.message };
  }
}

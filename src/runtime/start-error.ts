/** Why `potstream up` or a role cannot start. The message is one paragraph for the person at the terminal. */
export class StartError extends Error {
  readonly code: StartErrorCode;
  readonly retryable = false;

  constructor(code: StartErrorCode, message: string) {
    super(message);
    this.name = 'StartError';
    this.code = code;
  }
}

type StartErrorCode =
  | 'data_directory_unusable'
  | 'demo_exposed'
  | 'password_removed'
  | 'audit_unavailable'
  | 'disk_full'
  | 'already_running'
  | 'nats_server_missing'
  | 'nats_server_unsuitable'
  | 'nats_not_durable'
  | 'nats_not_asked'
  | 'lanes_changed'
  | 'keys_missing'
  | 'port_unavailable'
  | 'websocket_engine_unusable'
  | 'child_failed';

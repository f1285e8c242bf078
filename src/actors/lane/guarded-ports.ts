import type { ActorPorts } from '../ports/actor-ports.ts';

/** The same ports, where an error of a timer or a message of the bus ends this lane and not the process. */
export function guardedPorts(ports: ActorPorts, fail: (error: unknown) => void): ActorPorts {
  const { bus, clock } = ports;
  return {
    ...ports,
    clock: {
      nowMs: () => clock.nowMs(),
      elapsedMs: () => clock.elapsedMs(),
      after: (delayMs, task, rhythm) =>
        clock.after(
          delayMs,
          () => {
            try {
              task();
            } catch (error) {
              fail(error);
            }
          },
          rhythm,
        ),
    },
    bus: {
      publish: (subject, bytes) => bus.publish(subject, bytes),
      subscribe: (subject, handler, options) =>
        bus.subscribe(
          subject,
          (message) => {
            try {
              handler(message);
            } catch (error) {
              fail(error);
            }
          },
          options,
        ),
      hasListener: (subject, timeoutMs) => bus.hasListener(subject, timeoutMs),
      request: (subject, bytes, timeoutMs) => bus.request(subject, bytes, timeoutMs),
      connected: () => bus.connected(),
      interruptions: () => bus.interruptions(),
      close: () => bus.close(),
    },
  };
}

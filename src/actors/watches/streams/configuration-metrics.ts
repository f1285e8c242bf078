import { Gauge, type Registry } from 'prom-client';

/** What the watch of streams' configurations has seen last. */
export interface ConfigurationState {
  differing(): readonly string[];
  isStorageMissing(): boolean;
}

export function addConfigurationGauges(registers: Registry[], state: () => ConfigurationState): void {
  new Gauge({
    name: 'potstream_actors_stream_differs',
    help: '1 for a stream, table or archive whose configuration is not what it should be.',
    labelNames: ['stream'],
    registers,
    collect() {
      this.reset();
      for (const stream of state().differing()) this.set({ stream }, 1);
    },
  });
  new Gauge({
    name: 'potstream_actors_storage_missing',
    help: '1 where no process of the role storage works.',
    registers,
    collect() {
      this.set(Number(state().isStorageMissing()));
    },
  });
}

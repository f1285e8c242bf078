/** Every way to leave a promise alone that promises.test.ts has to see, and those that it has to let pass. */

type Listener = () => void;
type Options = { readonly done?: Listener; readonly step?: () => void | Promise<void> };

export function wrong(maybe: (() => Promise<void>) | undefined, isOn: boolean): void {
  floating();
  floating().then(() => {});
  floating().finally(() => {});
  void floating();
  void floating().then(() => {});
  listen(() => floating());
  listen(async () => {});
  // biome-ignore lint/complexity/useArrowFunction: it is one of the ways.
  listen(async function () {});
  listen(floating);
  maybe?.();
  configure({ done: async () => {} });
  isOn && floating();
  listen(() => void floating());
}

export async function right(): Promise<void> {
  floating().catch(() => {});
  floating().then(
    () => {},
    () => {},
  );
  void floating()
    .catch(() => {})
    .finally(() => {});
  listen(() => floating().catch(() => {}));
  listen(() => void plain());
  configure({ step: async () => {} });
  await floating();
  return floating();
}

async function floating(): Promise<void> {}

function plain(): number {
  return 1;
}

function listen(listener: Listener): void {
  listener();
}

function configure(options: Options): void {
  options.done?.();
}

import { make } from './make.ts';
import type { Cell, MoneyFormat } from './money.ts';
import { type Run, runTo, type Shown, shownAt, wheels } from './run.ts';

/** Rows of a wheel: 0 to 9 and 0 again, so that it turns from 9 to 0 without going back. */
const rows = 11;

const running = new Set<Digits>();
let frame = 0;

function turn(nowMs: number): void {
  for (const digits of running) digits.turn(nowMs);
  frame = running.size > 0 ? requestAnimationFrame(turn) : 0;
}

/**
 * An amount on wheels, like the counter of a slot machine (why not number-flow: docs/decisions/0490). Screen readers get
 * the plain text.
 */
export class Digits {
  readonly element: HTMLElement;
  readonly #text = make('span', { class: 'for-readers' });
  #places = makePlaces();
  #wheels: HTMLElement[] = [];
  #format: MoneyFormat | null = null;
  #run: Run = { fromUnits: 0n, toUnits: 0n, startMs: 0 };
  #shown: Shown = { units: 0n, fraction: 0 };
  #built = '';

  constructor() {
    this.element = make('span', { class: 'amount', part: 'amount' }, this.#text, this.#places);
  }

  /** The newest authoritative value. It is run to where `runs`, unless that would go down or to another format. */
  show(format: MoneyFormat, units: bigint, runs: boolean): void {
    const isSame = format === this.#format;
    const nowMs = performance.now();
    this.#format = format;
    this.#text.textContent = format.text(units);
    if (!isSame) this.#built = '';
    this.#run = runTo(runs && isSame ? this.#shown : { units, fraction: 0 }, units, nowMs);
    this.turn(nowMs);
    if (this.#shown.units === units) return;
    running.add(this);
    if (frame === 0) frame = requestAnimationFrame(turn);
  }

  /** Shows the newest value without a way to it. */
  stop(): void {
    if (running.delete(this)) this.turn(Number.POSITIVE_INFINITY);
  }

  turn(nowMs: number): void {
    if (this.#format === null) return;
    this.#shown = shownAt(this.#run, nowMs);
    if (this.#shown.units === this.#run.toUnits) running.delete(this);
    this.#build(this.#format, this.#shown.units);
    for (const [index, place] of wheels(this.#shown, this.#wheels.length).entries()) {
      const moved = `translateY(${((-100 * place) / rows).toFixed(3)}%)`;
      const wheel = this.#wheels[index];
      if (wheel !== undefined && wheel.style.transform !== moved) wheel.style.transform = moved;
    }
  }

  /** New places for a number of another length. None is moved, and so nothing shifts that was there before. */
  #build(format: MoneyFormat, units: bigint): void {
    const cells = format.cells(units);
    const shape = cells.map((cell) => (cell.kind === 'digit' ? '0' : cell.text)).join('');
    if (shape === this.#built) return;
    this.#built = shape;
    this.#wheels = [];
    const wheel = [...format.numerals, format.numerals[0]].join('\n');
    const [before, number, after]: [Node[], Node[], Node[]] = [[], [], []];
    const lastDigit = cells.findLastIndex(({ kind }) => kind === 'digit');
    for (const [index, cell] of cells.entries()) {
      if (cell.kind === 'digit') {
        const turning = make('span', { class: 'wheel' }, wheel);
        this.#wheels.push(turning);
        number.push(make('span', { class: 'digit', part: 'digit' }, turning));
      } else {
        const side = this.#wheels.length === 0 ? before : index > lastDigit ? after : number;
        side.push(make('span', { class: 'symbol', part: `symbol ${cell.part}` }, cell.text));
      }
    }
    const places = makePlaces(...before, make('span', { class: 'number', dir: 'ltr' }, ...number), ...after);
    places.dir = format.rightToLeft ? 'rtl' : 'ltr';
    places.style.setProperty('--width', cells.reduce((sum, cell) => sum + widthOf(cell), 0).toFixed(2));
    this.#places.replaceWith(places);
    this.#places = places;
  }
}

function makePlaces(...children: readonly Node[]): HTMLElement {
  return make('span', { class: 'places', part: 'digits', 'aria-hidden': 'true' }, ...children);
}

/** In widths of a digit, never too small: by the sum the amount is made to fit. */
function widthOf(cell: Cell): number {
  if (cell.kind === 'digit') return 1;
  return [...cell.text].reduce((sum, character) => sum + (/[\p{P}\s]/u.test(character) ? 0.55 : 1.3), 0);
}

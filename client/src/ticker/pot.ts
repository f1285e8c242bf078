import { Digits } from './digits.ts';
import { make } from './make.ts';

/** One pot: its name, a note beside it where it is the main one, and its amount. */
export class Pot {
  readonly element: HTMLElement;
  readonly digits = new Digits();
  readonly #name = make('span', { class: 'pot-name', part: 'pot-name' });

  constructor(note: HTMLElement | null) {
    const head = make(
      'span',
      { class: 'pot-head', part: 'pot-head' },
      this.#name,
      ...(note === null ? [] : [note]),
    );
    const kind = note === null ? '' : ' main';
    this.element = make('div', { class: `pot${kind}`, part: `pot${kind}` }, head, this.digits.element);
  }

  set name(name: string) {
    this.#name.textContent = name;
  }

  set isWon(isWon: boolean) {
    this.element.classList.toggle('is-won', isWon);
    this.element.part.toggle('won', isWon);
  }
}

import NumberFlow from 'number-flow';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { formatMoney, moneyFormat, shownDecimal } from '../money/format.ts';

interface Properties {
  readonly atoms: bigint;
  readonly currency: string;
  readonly testId?: string;
}

/**
 * An amount whose changed digits roll: upwards when it grows, not at all when it falls, since after a win the old value
 * must be gone at once. Screen readers get the plain text.
 */
export function RollingNumber({ atoms, currency, testId }: Properties) {
  const place = useRef<HTMLSpanElement>(null);
  const flow = useRef<{ readonly element: NumberFlow; atoms: bigint; currency: string } | null>(null);
  useLayoutEffect(() => {
    const shown = flow.current ?? { element: new NumberFlow(), atoms, currency };
    const { element } = shown;
    if (flow.current === null) {
      element.trend = 1;
      place.current?.append(element);
      flow.current = shown;
    }
    element.format = moneyFormat(currency);
    element.locales = 'en';
    element.animated = atoms > shown.atoms && currency === shown.currency;
    element.update(shownDecimal(atoms, currency));
    Object.assign(shown, { atoms, currency });
  }, [atoms, currency]);
  return (
    <span class="number" data-testid={testId} data-atoms={String(atoms)}>
      <span class="for-readers">{formatMoney(atoms, currency)}</span>
      <span aria-hidden="true" class="digits" ref={place} />
    </span>
  );
}

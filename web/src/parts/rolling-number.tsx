import { useRef } from 'preact/hooks';
import { formatMoney, type MoneyPart, moneyParts } from '../money/format.ts';

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
  const before = useRef(atoms);
  const shown = useRef(atoms);
  if (shown.current !== atoms) {
    before.current = shown.current;
    shown.current = atoms;
  }
  const parts = moneyParts(atoms, currency);
  const earlier = before.current < atoms ? moneyParts(before.current, currency) : parts;
  const offset = parts.length - earlier.length;
  const text = formatMoney(atoms, currency);
  return (
    <span class="number" data-testid={testId} data-atoms={String(atoms)}>
      <span class="for-readers">{text}</span>
      <span aria-hidden="true" class="digits">
        {parts.map((part, index) => (
          <Part key={parts.length - index} part={part} old={earlier[index - offset]?.text ?? ''} />
        ))}
      </span>
    </span>
  );
}

function Part({ part, old }: { part: MoneyPart; old: string }) {
  if (part.kind === 'symbol' || part.kind === 'mark') return <span class={part.kind}>{part.text}</span>;
  const rolls = old !== '' && old !== part.text;
  return (
    <span class={`digit ${part.kind} ${rolls ? 'rolls' : ''}`}>
      <span key={`new${part.text}`} class={rolls ? 'comes' : ''}>
        {part.text}
      </span>
      {rolls && (
        <span key={`old${old}${part.text}`} class="goes">
          {old}
        </span>
      )}
    </span>
  );
}

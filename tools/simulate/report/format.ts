/** Money for a table: two decimals, thousands apart; an exact decimal text or a float. */
export function money(amount: string | number): string {
  const value = typeof amount === 'number' ? amount : Number(amount);
  return value.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
}

export function count(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

export function percent(part: number): string {
  const digits = part !== 0 && Math.abs(part) < 0.01 ? 4 : 2;
  return `${(part * 100).toFixed(digits)} %`;
}

/** `1 in 11,500` */
export function oneIn(chance: number): string {
  return chance === 0 ? 'never' : `1 in ${count(1 / chance)}`;
}

const steps: readonly (readonly [seconds: number, unit: string])[] = [
  [86_400, 'd'],
  [3600, 'h'],
  [60, 'min'],
];

/** The two largest units of a time that say something. */
export function duration(seconds: number): string {
  const [first, second] = steps.filter(([size]) => seconds >= size);
  if (first === undefined) return `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`;
  const whole = Math.floor(seconds / first[0]);
  const rest = seconds - whole * first[0];
  const [size, unit] = second ?? [1, 's'];
  const part = Math.round(rest / size);
  return part === 0 ? `${whole} ${first[1]}` : `${whole} ${first[1]} ${part} ${unit}`;
}

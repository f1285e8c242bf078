import { histogramOf, type Interval } from '../../../src/simulation/statistics.ts';

/** Plots as SVG text without a script: colours come from classes of the page. */
const width = 540;
const height = 240;
const margin = { left: 78, right: 18, top: 12, bottom: 36 };
const maxBins = 32;
const minHistogramValues = 3;
const tickCount = 4;

export interface Line {
  readonly name: string;
  readonly values: readonly number[];
}

type Label = (value: number) => string;

/** Values over the contributions. */
export function linePlot(x: readonly number[], lines: readonly Line[], xLabel: Label, yLabel: Label): string {
  const all = lines.flatMap(({ values }) => values);
  const [low, high] = roomy(Math.min(0, ...all), Math.max(0, ...all));
  const scale = scales([x[0] ?? 0, x.at(-1) || 1], [low, high]);
  const paths = lines.map(({ values }, index) => {
    const points = values.map((value, at) => `${scale.x(x[at]!)},${scale.y(value)}`);
    return `<polyline class="line c${index}" points="${points.join(' ')}"/>`;
  });
  return plot(axes(scale, xLabel, yLabel) + paths.join(''));
}

/** How often which value came. */
export function histogramPlot(values: readonly number[], colour: number, xLabel: Label): string {
  const bins = Math.min(maxBins, Math.ceil(1.5 * Math.sqrt(values.length)));
  const histogram = values.length < minHistogramValues ? null : histogramOf(values, bins);
  if (histogram === null) return '<p class="note">Too few drops for a picture.</p>';
  const { counts, from, to } = histogram;
  const maxCount = Math.max(...counts);
  const scale = scales([from, to === from ? from + 1 : to], [0, maxCount]);
  const step = (to === from ? 1 : to - from) / counts.length;
  const bars = counts.map((count, index) => {
    const left = scale.x(from + index * step);
    const right = scale.x(from + (index + 1) * step);
    const top = scale.y(count);
    const size = `width="${round(Math.max(0.5, right - left - 1))}" height="${round(scale.y(0) - top)}"`;
    return `<rect class="bar c${colour}" x="${left}" y="${top}" ${size}/>`;
  });
  return plot(axes(scale, xLabel, (value) => String(Math.round(value))) + bars.join(''));
}

export interface Frequency {
  readonly name: string;
  readonly drops: number;
  readonly expected: number | null;
  /** The quantiles of the number of drops. */
  readonly bounds: Interval;
}

/** Observed drops with their bounds, beside what the odds let expect: each row has a scale of its own. */
export function frequencyPlot(rows: readonly Frequency[]): string {
  const rowHeight = 44;
  const left = 120;
  const right = width - 30;
  const lines = rows.map(({ bounds, drops, expected, name }, index) => {
    const y = index * rowHeight + rowHeight / 2;
    const maxCount = Math.max(bounds.high, expected ?? 0, 1) * 1.08;
    const x = (value: number) => round(left + (value / maxCount) * (right - left));
    const mark =
      expected === null
        ? ''
        : `<path class="expected" d="M${x(expected)} ${y - 13}v26"/><text class="small" x="${x(expected)}" y="${y - 15}" text-anchor="middle">${expected.toFixed(1)}</text>`;
    return `<text x="0" y="${y + 4}">${escaped(name)}</text><path class="track" d="M${left} ${y}H${right}"/><path class="bounds c${index % 6}" d="M${x(bounds.low)} ${y}H${x(bounds.high)}"/><circle class="dot c${index % 6}" cx="${x(drops)}" cy="${y}" r="5"/>${mark}`;
  });
  const size = rows.length * rowHeight + 8;
  return `<svg viewBox="0 -8 ${width} ${size}" aria-hidden="true">${lines.join('')}</svg>`;
}

export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

function plot(inside: string): string {
  return `<svg viewBox="0 0 ${width} ${height}" aria-hidden="true">${inside}</svg>`;
}

interface Scales {
  readonly xRange: readonly [number, number];
  readonly yRange: readonly [number, number];
  x(value: number): number;
  y(value: number): number;
}

function scales(xRange: readonly [number, number], yRange: readonly [number, number]): Scales {
  const spanX = xRange[1] - xRange[0] || 1;
  const spanY = yRange[1] - yRange[0] || 1;
  return {
    xRange,
    yRange,
    x: (value) => round(margin.left + ((value - xRange[0]) / spanX) * (width - margin.left - margin.right)),
    y: (value) =>
      round(height - margin.bottom - ((value - yRange[0]) / spanY) * (height - margin.top - margin.bottom)),
  };
}

function axes({ x, xRange, y, yRange }: Scales, xLabel: Label, yLabel: Label): string {
  const marks: string[] = [];
  for (const value of ticks(yRange))
    marks.push(
      `<path class="grid" d="M${margin.left} ${y(value)}H${width - margin.right}"/><text class="small" x="${margin.left - 8}" y="${y(value) + 4}" text-anchor="end">${escaped(yLabel(value))}</text>`,
    );
  for (const value of ticks(xRange))
    marks.push(
      `<text class="small" x="${x(value)}" y="${height - margin.bottom + 20}" text-anchor="middle">${escaped(xLabel(value))}</text>`,
    );
  return marks.join('');
}

/** Round values within a range: steps of 1, 2, 2.5 or 5 times a power of ten. */
function ticks([from, to]: readonly [number, number]): readonly number[] {
  const rough = (to - from) / tickCount || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((each) => each >= rough)!;
  const found: number[] = [];
  for (let value = Math.ceil(from / step) * step; value <= to + step / 1e6; value += step) found.push(value);
  return found;
}

function roomy(low: number, high: number): readonly [number, number] {
  return low === high ? [low, low + 1] : [low, high + (high - low) * 0.04];
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

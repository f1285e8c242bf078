import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';

interface Line {
  readonly name: string;
  readonly values: readonly (number | null)[];
}

const heightPx = 180;
const axisPx = 80;
const daySeconds = 86_400;
/** Seen in the light and in the dark; lines differ by their dashes, too. */
const colors = ['#3f74e8', '#d1495b', '#2a9d6f', '#b7791f', '#8e5bd0', '#1f93a8'];
const dashes = [[], [8, 4], [2, 3], [12, 3, 2, 3]];

/** Lines over time. `times` in seconds. Whoever cannot see them has the values in a table. */
export default function Chart({
  label,
  times,
  lines,
}: {
  readonly label: string;
  readonly times: readonly number[];
  readonly lines: readonly Line[];
}) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    // As they are when it is drawn: the light may change.
    const stroke = () => getComputedStyle(element).color;
    const grid = { stroke: () => getComputedStyle(element).borderTopColor, width: 1 };
    const isOfDays = (times[1] ?? 0) - (times[0] ?? 0) >= daySeconds;
    const format = new Intl.DateTimeFormat(
      undefined,
      isOfDays ? { month: 'short', day: 'numeric' } : { hour: '2-digit', minute: '2-digit' },
    );
    const plot = new uPlot(
      {
        width: element.clientWidth,
        height: heightPx,
        legend: { show: false },
        cursor: { show: false },
        series: [
          {},
          ...lines.map(({ name }, index) => ({
            label: name,
            width: 2,
            stroke: colorOf(index),
            dash: dashes[index % dashes.length] ?? [],
          })),
        ],
        axes: [
          { stroke, grid, ticks: grid, values: (_, at) => at.map((each) => format.format(each * 1000)) },
          { stroke, grid, ticks: grid, size: axisPx },
        ],
      },
      [[...times], ...lines.map(({ values }) => [...values])] as uPlot.AlignedData,
      element,
    );
    const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: heightPx }));
    observer.observe(element);
    const dark = matchMedia('(prefers-color-scheme: dark)');
    const redraw = () => plot.redraw();
    dark.addEventListener('change', redraw);
    return () => {
      observer.disconnect();
      dark.removeEventListener('change', redraw);
      plot.destroy();
    };
  }, [times, lines]);
  return (
    <>
      {lines.length > 1 && (
        <ul className="legend">
          {lines.map(({ name }, index) => (
            <li key={name}>
              <span className="swatch" style={{ background: colorOf(index) }} /> {name}
            </li>
          ))}
        </ul>
      )}
      <div ref={box} className="chart" role="img" aria-label={`${label}. The values are in the table.`} />
    </>
  );
}

function colorOf(index: number): string {
  return colors[index % colors.length] as string;
}

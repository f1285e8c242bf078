import type { ComponentChildren } from 'preact';
import type { TickerFeed } from '../../../client/src/ticker/element.ts';
import { Mark } from '../parts/mark.tsx';
import { ThemeToggle } from '../parts/theme-toggle.tsx';
import { SampleFeed } from './sample-feed.ts';

const live = { src: '/', brand: 'demo/main' };
const twoLines = `<script type="module" src="${location.origin}/client/ticker.js"></script>
<jackpot-ticker src="${location.origin}" brand="demo/main" source="slot-1"></jackpot-ticker>`;
const arabic = {
  mustDrop: 'يجب أن يسقط خلال {time}',
  asOf: 'آخر قيمة، {time}',
  waiting: 'في انتظار القيمة الأولى',
  won: 'فاز {player} بمبلغ {amount} ({pot})',
  pots: { grand: 'الكبرى', major: 'الرئيسية', mini: 'الصغيرة', night: 'ليلية' },
};
const hindi = {
  asOf: 'अंतिम मान, {time}',
  waiting: 'पहले मान की प्रतीक्षा',
  won: '{player} ने {amount} जीते ({pot})',
  pots: { grand: 'महा', major: 'मुख्य', mini: 'लघु' },
};

const samples = new SampleFeed({
  twelve: { currency: 'EUR', units: 99_999_999_987_512n, places: 2, growth: 1_043n },
  dinar: { currency: 'KWD', units: 48_250_377n, places: 3, growth: 1_618n },
  celebrated: { currency: 'USD', units: 250_000_00n, places: 2, growth: 731n },
});
const yesterday = new SampleFeed(
  { lost: { currency: 'GBP', units: 18_422_61n, places: 2, growth: 0n } },
  Date.now() - 86_400_000,
);

export function GalleryPage() {
  return (
    <div class="page">
      <header class="top">
        <h1 class="brand">
          <Mark /> Ticker gallery
        </h1>
        <span class="grow" />
        <ThemeToggle />
      </header>
      <main>
        <section class="card intro" aria-labelledby="intro-title">
          <h2 id="intro-title">Live pots in two lines</h2>
          <pre tabindex={0}>
            <code>{twoLines}</code>
          </pre>
        </section>
        <h2 class="chapter">Live from this system</h2>
        <div class="exhibits">
          <Exhibit wide words="Three pots. The largest leads; pots= fixes their order, and keeps their room.">
            <jackpot-ticker {...live} source="slot-1" label="Aurora" pots="grand major mini" class="hero" />
          </Exhibit>
          <Exhibit words="must-drop= counts down to 20:00 UTC of every day.">
            <jackpot-ticker {...live} pots="night" label="Nightfall" must-drop="20:00Z" />
          </Exhibit>
          <Exhibit words="currency=JPY locale=ja: a currency without decimals.">
            <jackpot-ticker {...live} source="slot-1" pots="grand major mini" currency="JPY" locale="ja" />
          </Exhibit>
          <Exhibit words="locale=ar-EG in a page from right to left, with labels= of its own.">
            <div dir="rtl" lang="ar">
              <jackpot-ticker
                {...live}
                source="slot-1"
                pots="grand major mini"
                locale="ar-EG"
                must-drop="20:00Z"
                labels={arabic}
              />
            </div>
          </Exhibit>
          <Exhibit words="locale=hi-IN-u-nu-deva: Devanagari digits in Indian groups.">
            <div lang="hi">
              <jackpot-ticker
                {...live}
                source="slot-1"
                pots="grand major mini"
                locale="hi-IN-u-nu-deva"
                labels={hindi}
              />
            </div>
          </Exhibit>
        </div>
        <h2 class="chapter">Themes: parts and variables</h2>
        <div class="exhibits">
          <Exhibit words="One line of text: --potstream-amount-size and ::part(pot-head).">
            <p class="in-line">
              Mini now: <jackpot-ticker {...live} source="slot-1" pots="mini" class="strip" />
            </p>
          </Exhibit>
          <Exhibit words="A signboard: ::part(digit), ::part(symbol).">
            <jackpot-ticker {...live} source="slot-1" pots="major" class="signboard" />
          </Exhibit>
        </div>
        <h2 class="chapter">Samples: what no demo has</h2>
        <div class="exhibits">
          <Exhibit words="Twelve digits before the point, which no floating point number holds with two after it.">
            <SampleTicker feed={samples} instance="twelve" label="Sample" />
          </Exhibit>
          <Exhibit words="A currency with three decimals.">
            <SampleTicker feed={samples} instance="dinar" label="Sample" locale="en" />
          </Exhibit>
          <Exhibit words="Offline: the last value, dimmed and dated.">
            <SampleTicker feed={yesterday} instance="lost" label="Sample" />
          </Exhibit>
          <Exhibit words="Wins are celebrated one after the other, within the ticker.">
            <SampleTicker feed={samples} instance="celebrated" label="Sample" id="celebrated" />
            <button type="button" class="quiet" onClick={() => samples.win('celebrated', '12345.67')}>
              A sample win
            </button>
          </Exhibit>
        </div>
      </main>
      <footer class="foot">
        <p>The samples at the end are made in this page. Everything else is the demo’s public feed.</p>
        <nav aria-label="More">
          <a href="/">Demo</a> <a href="/docs">Interface reference</a>
        </nav>
      </footer>
    </div>
  );
}

function Exhibit({ words, wide, children }: { words: string; wide?: boolean; children: ComponentChildren }) {
  return (
    <figure class={`card exhibit ${wide ? 'wide' : ''}`}>
      {children}
      <figcaption>{words}</figcaption>
    </figure>
  );
}

function SampleTicker(properties: {
  feed: TickerFeed;
  instance: string;
  label: string;
  id?: string;
  locale?: string;
}) {
  return <jackpot-ticker {...properties} />;
}

declare module 'preact' {
  namespace JSX {
    interface IntrinsicElements {
      'jackpot-ticker': HTMLAttributes & {
        readonly src?: string;
        readonly brand?: string;
        readonly source?: string;
        readonly instance?: string;
        readonly currency?: string;
        readonly locale?: string;
        readonly label?: string;
        readonly pots?: string;
        readonly labels?: object;
        readonly feed?: TickerFeed;
        readonly 'must-drop'?: string;
      };
    }
  }
}

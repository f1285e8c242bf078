import { Mark } from '../parts/mark.tsx';
import { ThemeToggle } from '../parts/theme-toggle.tsx';
import { CheckList } from './check-list.tsx';
import { ChooseForm } from './choose-form.tsx';
import { DrawStory } from './draw-story.tsx';
import { DropFile } from './drop-file.tsx';
import { HowItWorks } from './how-it-works.tsx';
import { useVerification } from './use-verification.ts';
import { Verdict } from './verdict.tsx';
import { Wins } from './wins.tsx';

export function VerifyPage() {
  const page = useVerification();
  const { stage } = page;
  const report = stage.kind === 'done' ? stage.report : null;
  const isBusy = stage.kind === 'reading' || stage.kind === 'verifying';
  return (
    <div class="verify">
      <a class="skip" href="#result">
        Skip to the result
      </a>
      <header class="verify-top">
        <a class="verify-brand" href="/">
          <Mark /> Potstream
        </a>
        <ThemeToggle />
      </header>
      <main>
        <div class="verify-intro">
          <h1>Was every draw fair? Compute it yourself.</h1>
          <p>
            When a stretch of draws, an epoch, is over, its secret seed is published. Your browser repeats
            every draw and every sum from it and compares. Nothing is taken on trust, and nothing leaves this
            page.
          </p>
        </div>
        <div class="verify-columns">
          <div class="verify-side">
            <ChooseForm
              chosen={page.chosen}
              choose={page.choose}
              instances={page.instances}
              epochs={page.epochs}
              credential={page.credential}
              showCredential={page.showCredential}
              isBusy={isBusy}
              onVerify={() => {
                void page.verify(page.chosen);
                toResult();
              }}
            />
            <DropFile
              isBusy={isBusy}
              onFile={(file) => {
                void page.verifyFile(file);
                toResult();
              }}
            />
          </div>
          <div class="verify-result" id="result" tabIndex={-1}>
            <Verdict stage={stage} onAgain={() => void page.verify(page.chosen)} />
            {report?.draw && <DrawStory draw={report.draw} currency={report.currency ?? ''} />}
            {report?.verified && report.draw === null && page.chosen.sequence !== null && (
              <p class="card verify-card" data-testid="no-draw">
                Number {page.chosen.sequence.toLocaleString('en')} is not in this epoch. Choose the epoch that
                it was drawn in.
              </p>
            )}
            {report && <CheckList checks={report.checks} />}
            {report && report.wins.length > 0 && (
              <Wins
                wins={report.wins}
                total={report.counts.wins}
                currency={report.currency ?? ''}
                shown={report.draw?.sequence ?? null}
                onShow={(sequence) => {
                  page.show(sequence);
                  toResult();
                }}
              />
            )}
            {report === null && !isBusy && <HowItWorks />}
          </div>
        </div>
      </main>
      <footer class="verify-foot">
        <p>
          The same verifier runs without this page:{' '}
          <code>potstream verify {location.origin} --instance …</code> The format is described in
          docs/jpd1.md, so that anybody can write another one.
        </p>
      </footer>
    </div>
  );
}

/** On a phone the result is far below the form; for a keyboard it is where one goes on. */
function toResult(): void {
  document.getElementById('result')?.focus();
}

/** What a visitor reads before anything is verified. */
export function HowItWorks() {
  return (
    <section class="card verify-card how" aria-labelledby="how-title">
      <h2 id="how-title">How it works</h2>
      <ol>
        <li>
          <strong>Before</strong> the first draw of an epoch the house locks in a secret seed and publishes
          its fingerprint, the commitment. It cannot change the seed any more.
        </li>
        <li>
          <strong>During</strong> the epoch each draw comes from that seed and from the contributions
          themselves. Nobody outside knows the seed; nobody inside knows the contributions to come. A chain of
          fingerprints, shown live on the screens, fixes the order.
        </li>
        <li>
          <strong>After</strong> the epoch the seed and every record are published. This page checks that the
          seed fits the commitment, draws every number again, splits every contribution again, pays every win
          again, and compares it all.
        </li>
      </ol>
      <p class="muted">
        If a single bit of it had been changed, the page would name the first number at which it does not fit.
      </p>
    </section>
  );
}

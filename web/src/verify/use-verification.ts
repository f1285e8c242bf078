import { useEffect, useRef, useState } from 'preact/hooks';
import { endingOf, type Report } from '../../../verifier/src/index.ts';
import { findWin } from './find-win.ts';
import { type Link, linkText, readLink } from './link.ts';
import type { Answer, Request } from './messages.ts';
import {
  type Credential,
  type KnownInstance,
  knownInstances,
  type ListedEpoch,
  listEpochs,
  NoData,
  noCredential,
  readEpoch,
  readNeighbour,
  showCredential,
  TokenNeeded,
} from './public-data.ts';

export type Stage =
  | { readonly kind: 'choosing' }
  | { readonly kind: 'reading' }
  | { readonly kind: 'verifying'; readonly done: number }
  | { readonly kind: 'done'; readonly report: Report }
  | { readonly kind: 'nothing'; readonly message: string }
  /** Later there will be something, which is asked for again. */
  | {
      readonly kind: 'waiting';
      readonly message: string;
      readonly commit: string | null;
      /** When it ends at the latest; null: not known. */
      readonly endMs: number | null;
      readonly link: Link;
    };

/** How often a page that waits asks: an epoch may end early, and once it is over it opens at any moment. */
const maxPauseMs = 15_000;
const minPauseMs = 3_000;

/** The page's state: what is chosen, what there is to choose from, how far the verifier is. */
export function useVerification() {
  const [chosen, choose] = useState<Link>(() => readLink(location.search));
  const [instances, setInstances] = useState<readonly KnownInstance[]>([]);
  const [epochs, setEpochs] = useState<readonly ListedEpoch[]>([]);
  const [stage, setStage] = useState<Stage>({ kind: 'choosing' });
  /** Null: the draws of the jackpot are public, or nobody has said yet that they are not. */
  const [credential, setCredential] = useState<Credential | null>(null);
  const worker = useRef<Worker | null>(null);
  /** Only the answer of the last one is shown. */
  const requests = useRef(0);

  const ask = (request: Request) => {
    setStage({ kind: 'verifying', done: 0 });
    worker.current?.postMessage(request);
  };

  useEffect(() => {
    const made = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
    made.addEventListener('message', (event: MessageEvent<Answer>) => setStage(stageOf(event.data)));
    worker.current = made;
    void knownInstances().then((known) => {
      setInstances(known);
      const [first] = known;
      if (first !== undefined) choose((link) => (link.instance === '' ? { ...link, ...first } : link));
    });
    const isLinked = chosen.epoch !== null || chosen.sequence !== null || chosen.win;
    if (chosen.instance !== '' && isLinked) void verify(chosen);
    return () => made.terminate();
  }, []);

  const noteClosed = (error: unknown) => {
    if (error instanceof TokenNeeded) setCredential((shown) => shown ?? noCredential);
  };

  useEffect(() => {
    let isCurrent = true;
    setEpochs([]);
    showCredential(credential ?? noCredential);
    if (chosen.instance === '') return undefined;
    // A name that is being typed is no name yet.
    const timer = setTimeout(() => {
      listEpochs(chosen.instance)
        .then((listed) => isCurrent && setEpochs(listed))
        .catch((error) => isCurrent && noteClosed(error));
    }, 250);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [chosen.instance, credential]);

  useEffect(() => {
    if (stage.kind !== 'waiting') return undefined;
    const leftMs = (stage.endMs ?? 0) - Date.now();
    const pauseMs = Math.min(maxPauseMs, Math.max(minPauseMs, leftMs));
    const timer = setTimeout(() => void verify(stage.link, stage), pauseMs);
    return () => clearTimeout(timer);
  }, [stage]);

  /** @param waited what is shown until there is more to show */
  async function verify(link: Link, waited: Stage | null = null): Promise<void> {
    const request = ++requests.current;
    const show = (next: Stage): void => {
      if (request === requests.current) setStage(next);
    };
    if (waited === null) show({ kind: 'reading' });
    const wait = (message: string, epoch: ListedEpoch | undefined): void =>
      show({
        kind: 'waiting',
        message,
        commit: epoch?.commit ?? null,
        endMs: epoch?.timestamp_end ?? null,
        link,
      });
    try {
      const listed = await listEpochs(link.instance);
      setEpochs(listed);
      const place = link.win ? await findWin(link.instance, listed, link.win) : null;
      if (place?.kind === 'later') {
        const running = listed.find(({ state }) => state !== 'committed' && state !== 'revealed');
        return wait(waiting[running?.state === 'ended' ? 'ended' : 'running'], running);
      }
      const sequence = place?.kind === 'found' ? place.sequence : link.sequence;
      const epoch = place?.kind === 'found' ? place.epoch : (link.epoch ?? epochOf(listed, sequence));
      if (epoch === null) throw new NoData('No epoch of this jackpot has been revealed so far.');
      const found = { instance: link.instance, epoch, sequence };
      choose(found);
      history.replaceState(null, '', linkText(found));
      const state = listed.find((each) => each.epoch === epoch);
      if (state !== undefined && state.state !== 'revealed') return wait(waiting[state.state], state);
      // The newest one is being published; an older one may be lost.
      const newest = listed.find((each) => each.state === 'revealed');
      if (state?.published === false && state === newest) return wait(waiting.ended, state);
      const text = await readEpoch(link.instance, epoch);
      const [before, behind] = await Promise.all([
        readNeighbour(link.instance, epoch - 1),
        readNeighbour(link.instance, epoch + 1),
      ]);
      if (request !== requests.current) return;
      ask({
        kind: 'verify',
        text,
        further: { instance: link.instance, epoch, credential: credential ?? noCredential },
        sequence,
        nextHeader: behind?.header ?? null,
        previousEnding: endingOf(epoch - 1, before),
      });
    } catch (error) {
      noteClosed(error);
      const message = error instanceof NoData ? error.message : String(error);
      // What waits goes on waiting through an outage.
      show(waited === null ? { kind: 'nothing', message } : { ...waited });
    }
  }

  return {
    chosen,
    credential,
    showCredential: setCredential,
    choose(link: Link) {
      // Another jackpot may be another operator's.
      if (link.instance !== chosen.instance) setCredential(null);
      choose(link);
    },
    instances,
    epochs,
    stage,
    verify,
    async verifyFile(file: File): Promise<void> {
      // What was shown before is of another epoch from here on.
      requests.current += 1;
      setStage({ kind: 'reading' });
      const text = await file.text().catch(() => null);
      if (text === null) {
        setStage({ kind: 'nothing', message: unreadable });
        return;
      }
      ask({
        kind: 'verify',
        text,
        further: null,
        sequence: chosen.sequence,
        nextHeader: null,
        previousEnding: null,
      });
    },
    show(sequence: number) {
      choose((link) => ({ ...link, sequence }));
      ask({ kind: 'show', sequence });
    },
  };
}

/** A browser gives a file's bytes only while the file is as it was when it was chosen. */
const unreadable =
  'The file could not be read. It may have been changed or moved since it was chosen: choose it again.';

const waiting: Readonly<Record<Exclude<ListedEpoch['state'], 'revealed'>, string>> = {
  committed:
    'This epoch has not begun. Its commitment is public already: note it down, and compare it when it is revealed.',
  running:
    'This epoch is still running, so its seed is secret: whoever knew it could foresee the draws. Its commitment is public: note it down. The proof opens here when the epoch is over.',
  ended: 'This epoch is over. Its seed and its draws are being published, and the proof opens here.',
};

/** The revealed epoch of a sequence number, else the newest one. */
function epochOf(listed: readonly ListedEpoch[], sequence: number | null): number | null {
  const holds = ({ first_sequence: first, last_sequence: last }: ListedEpoch) =>
    sequence !== null && first !== null && last !== null && first <= sequence && sequence <= last;
  const found = listed.find(holds) ?? listed.find(({ state }) => state === 'revealed');
  return found?.epoch ?? null;
}

function stageOf(answer: Answer): Stage {
  if (answer.kind === 'progress') return { kind: 'verifying', done: answer.done };
  if (answer.kind === 'report') return { kind: 'done', report: answer.report };
  return { kind: 'nothing', message: answer.message };
}

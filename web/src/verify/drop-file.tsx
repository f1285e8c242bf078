import { useState } from 'preact/hooks';

interface Properties {
  readonly onFile: (file: File) => void;
  readonly isBusy: boolean;
}

const maxBytes = 256 * 1024 * 1024;

/** A saved answer of the fairness API, by choosing it or by dropping it here. */
export function DropFile({ isBusy, onFile }: Properties) {
  const [isOver, setOver] = useState(false);
  const [note, setNote] = useState('');
  const take = (file: File | undefined) => {
    if (file === undefined || isBusy) return;
    if (file.size > maxBytes) {
      setNote('This file is too large for a browser. Use potstream verify on a command line.');
      return;
    }
    setNote(file.name);
    onFile(file);
  };
  return (
    <section
      class={`card verify-card verify-drop ${isOver ? 'is-over' : ''}`}
      aria-labelledby="drop-title"
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        take(event.dataTransfer?.files[0]);
      }}
    >
      <h2 id="drop-title">Or a saved file</h2>
      <p class="muted">
        An epoch’s JSON that you saved before, so that you need not trust what this system answers today. Drop
        it here or choose it.
      </p>
      <label class="verify-file">
        <input
          class="verify-file-input"
          type="file"
          accept="application/json,.json"
          disabled={isBusy}
          data-testid="file"
          onChange={(event) => {
            take(event.currentTarget.files?.[0]);
            // So that the same file, saved anew, can be chosen again.
            event.currentTarget.value = '';
          }}
        />
        <span class="quiet verify-file-button">Choose a file</span>
        <span class="verify-file-name" aria-live="polite">
          {note}
        </span>
      </label>
    </section>
  );
}

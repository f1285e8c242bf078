import { countOf, type Link } from './link.ts';
import type { Credential, KnownInstance, ListedEpoch } from './public-data.ts';

interface Properties {
  readonly chosen: Link;
  readonly choose: (link: Link) => void;
  readonly instances: readonly KnownInstance[];
  readonly epochs: readonly ListedEpoch[];
  /** Null: none is asked for. */
  readonly credential: Credential | null;
  readonly showCredential: (credential: Credential) => void;
  readonly isBusy: boolean;
  readonly onVerify: () => void;
}

/** Which jackpot, which epoch, which draw. */
export function ChooseForm(properties: Properties) {
  const { choose, chosen, credential, epochs, instances, isBusy, onVerify } = properties;
  return (
    <form
      class="card verify-card"
      onSubmit={(event) => {
        event.preventDefault();
        onVerify();
      }}
    >
      <h2>What to verify</h2>
      <label class="verify-field">
        Jackpot
        <input
          name="instance"
          required
          autocomplete="off"
          spellcheck={false}
          list="instances"
          placeholder="Instance id"
          value={chosen.instance}
          onInput={(event) =>
            choose({ instance: event.currentTarget.value.trim(), epoch: null, sequence: null })
          }
        />
      </label>
      <datalist id="instances">
        {instances.map(({ instance, name }) => (
          <option key={instance} value={instance}>
            {name}
          </option>
        ))}
      </datalist>
      {instances.length > 0 && <Known instances={instances} chosen={chosen} choose={choose} />}
      {credential !== null && (
        <TokenFields credential={credential} showCredential={properties.showCredential} />
      )}
      <label class="verify-field">
        Epoch
        <select
          name="epoch"
          value={chosen.epoch === null ? '' : String(chosen.epoch)}
          onChange={(event) => choose({ ...chosen, epoch: countOf(event.currentTarget.value) })}
        >
          <option value="">The newest that is revealed</option>
          {optionsOf(epochs, chosen.epoch).map(({ epoch, words }) => (
            <option key={epoch} value={String(epoch)}>
              {words}
            </option>
          ))}
        </select>
      </label>
      <label class="verify-field">
        <span>
          Number of a draw <span class="muted">(optional)</span>
        </span>
        <input
          name="seq"
          inputMode="numeric"
          pattern="[0-9]*"
          autocomplete="off"
          placeholder="Shows that draw step by step"
          value={chosen.sequence === null ? '' : String(chosen.sequence)}
          onInput={(event) => choose({ ...chosen, sequence: countOf(event.currentTarget.value) })}
        />
      </label>
      <button type="submit" class="primary" disabled={isBusy || chosen.instance === ''} data-testid="verify">
        Verify
      </button>
    </form>
  );
}

function TokenFields({
  credential,
  showCredential,
}: {
  readonly credential: Credential;
  readonly showCredential: Properties['showCredential'];
}) {
  return (
    <fieldset class="verify-token" data-testid="token-fields">
      <legend>The operator shows its draws to its own</legend>
      <label class="verify-field">
        Token
        <input
          name="token"
          type="password"
          required
          autocomplete="off"
          value={credential.token}
          onInput={(event) => showCredential({ ...credential, token: event.currentTarget.value.trim() })}
        />
      </label>
      <label class="verify-field">
        <span>
          Brand <span class="muted">(of a player's token)</span>
        </span>
        <input
          name="brand"
          autocomplete="off"
          spellcheck={false}
          placeholder="operator:brand"
          value={credential.brand}
          onInput={(event) => showCredential({ ...credential, brand: event.currentTarget.value.trim() })}
        />
      </label>
    </fieldset>
  );
}

function Known({ choose, chosen, instances }: Pick<Properties, 'choose' | 'chosen' | 'instances'>) {
  return (
    <ul class="verify-known" aria-label="Jackpots of this system">
      {instances.map(({ instance, name }) => (
        <li key={instance}>
          <button
            type="button"
            class="quiet"
            aria-pressed={chosen.instance === instance}
            onClick={() => choose({ instance, epoch: null, sequence: null })}
          >
            {name}
          </button>
        </li>
      ))}
    </ul>
  );
}

/** An epoch that a link names is there, too, when it is older than those listed. */
function optionsOf(epochs: readonly ListedEpoch[], chosen: number | null) {
  const options = epochs.map(({ epoch, first_sequence, last_sequence, state }) => {
    const numbers =
      first_sequence !== null &&
      last_sequence !== null &&
      last_sequence >= first_sequence &&
      state !== 'committed'
        ? `, ${first_sequence}–${last_sequence}`
        : '';
    return { epoch, words: `${epoch}: ${state}${numbers}` };
  });
  const isListed = chosen === null || options.some(({ epoch }) => epoch === chosen);
  return isListed ? options : [{ epoch: chosen, words: String(chosen) }, ...options];
}

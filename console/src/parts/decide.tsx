import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { api, bodyOf } from '../api/client.ts';
import { ApiError } from '../api/errors.ts';
import { meKey, useMe } from '../session/session.tsx';
import { Dialog } from './dialog.tsx';
import { Code } from './fields.tsx';
import { Trouble } from './states.tsx';

interface Answer {
  readonly response: Response;
  readonly body?: unknown;
}

interface DecideProps {
  readonly title: string;
  /** What the decision is about. */
  readonly facts: ReactNode;
  /** What will happen, before it does. */
  readonly consequence: string;
  /** What could go wrong; null: nothing. */
  readonly danger?: string | null;
  /** What the person confirms; null: nothing. */
  readonly condition?: string | null;
  /** Further fields of the form. */
  readonly fields?: ReactNode;
  readonly reason: 'required' | 'optional' | 'none';
  /** Why the person may not; null: they may. */
  readonly forbidden: string | null;
  /** The form asks for a code by itself. */
  readonly hasOwnCode?: boolean;
  /** The key is one for all tries: whatever is lost on the way, the decision is made once. */
  readonly send: (fields: FormData, idempotencyKey: string) => Promise<Answer>;
  /** What has happened. */
  readonly done?: (answer: Answer) => string;
  /** What the answer says, this once. */
  readonly result?: (answer: Answer) => ReactNode;
  /** What is stale afterwards. */
  readonly stale: readonly string[];
  readonly close: () => void;
}

/** Says what a decision does before it is made. */
export function Decide(props: DecideProps) {
  const { title, danger = null, condition = null, reason, forbidden, send, stale, close } = props;
  const client = useQueryClient();
  const [idempotencyKey] = useState(() => crypto.randomUUID());
  const { data, error, isPending, mutate } = useMutation({
    mutationFn: async (fields: FormData) => {
      const code = fields.get('code');
      if (typeof code === 'string') await bodyOf(api.POST('/auth/admin/step-up', { body: { code } }));
      return send(fields, idempotencyKey);
    },
    // What was typed may be a password.
    gcTime: 0,
    // Whether there is a factor to ask for may be news.
    onSettled: () =>
      Promise.all([...meKey, ...stale].map((key) => client.invalidateQueries({ queryKey: [key] }))),
  });

  const { is_enrolled: hasFactor } = useMe().second_factor;
  const asksForCode =
    hasFactor &&
    props.hasOwnCode !== true &&
    error instanceof ApiError &&
    /^second_factor_(required|invalid)$/.test(error.code);

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    mutate(new FormData(event.currentTarget));
  }

  return (
    <Dialog title={title} close={close}>
      <h2>{title}</h2>
      {props.facts}
      {data !== undefined ? (
        <>
          <p role="status">
            {data.response.status === 202
              ? 'Nothing has changed yet: a second administrator has to approve this.'
              : (props.done?.(data) ?? 'Done.')}
          </p>
          {data.response.status !== 202 && props.result?.(data)}
          <button type="button" className="primary" onClick={close}>
            Close
          </button>
        </>
      ) : (
        <form onSubmit={submit}>
          <p>{props.consequence}</p>
          {danger !== null && (
            <p className="warning" role="alert">
              {danger}
            </p>
          )}
          {condition !== null && (
            <label className="check">
              <input type="checkbox" required /> {condition}
            </label>
          )}
          {props.fields}
          {reason !== 'none' && (
            <label>
              Reason, for the audit trail{reason === 'optional' ? ' (may be left out)' : ''}
              <textarea name="reason" required={reason === 'required'} maxLength={500} dir="auto" />
            </label>
          )}
          {error !== null && <Trouble error={error} />}
          {asksForCode && <Code label="Code of your second factor" name="code" />}
          {forbidden !== null && <p className="warning">{forbidden}</p>}
          <div className="actions">
            <button type="submit" className="primary" disabled={isPending || forbidden !== null}>
              {isPending ? 'Sending…' : title}
            </button>
            <button type="button" onClick={close}>
              Cancel
            </button>
          </div>
        </form>
      )}
    </Dialog>
  );
}

/** The reason that the person gave. */
export function reasonOf(fields: FormData): string {
  return String(fields.get('reason') ?? '').trim();
}
